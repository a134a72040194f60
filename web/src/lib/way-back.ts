import { forTab } from './storage.ts';

const WAY_BACK = 'way-back';
/** Pages worth returning to: unfinished tasks and targets of links in mails. */
const RETURNED_TO = /^\/(booking\/|events\/\d+\?waiting|profile\?proof=|(admin|scanner|audit)(\?|$))/;

export const rememberWayBack = (): void => {
  const page = location.pathname + location.search;
  if (RETURNED_TO.test(page)) forTab.set(WAY_BACK, page);
  else forgetWayBack();
};

export const wayBack = (): string | undefined => forTab.get(WAY_BACK) ?? undefined;

export const forgetWayBack = (): void => forTab.remove(WAY_BACK);

export const takeWayBack = (): string => {
  const page = wayBack();
  forgetWayBack();
  return page && RETURNED_TO.test(page) ? page : '/';
};
