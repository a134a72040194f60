/** The checkout that sent a person to sign in, so that they come back to it. Kept for the tab. */
const KEY = 'way-back';

/** Keeps the way back to a checkout; other pages are not come back to. */
export const rememberWayBack = (path: string): void => {
  if (path.startsWith('/booking/')) sessionStorage.setItem(KEY, path);
};

/** The checkout to come back to, if one sent the person here. */
export const wayBack = (): string | undefined => sessionStorage.getItem(KEY) ?? undefined;

/** Whoever goes to sign in by themselves wants nothing of an older checkout. */
export const forgetWayBack = (): void => sessionStorage.removeItem(KEY);

/** Where to go after signing in: once, then home. */
export const takeWayBack = (): string => {
  const path = wayBack();
  forgetWayBack();
  return path?.startsWith('/booking/') ? path : '/';
};
