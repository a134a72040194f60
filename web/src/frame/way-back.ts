/** The checkout that sent a person to sign in, so that they come back to it. Kept for the tab. */
const KEY = 'way-back';

/** Keeps the way back to a checkout; other pages are not come back to. */
export const rememberWayBack = (path: string): void => {
  if (path.startsWith('/booking/')) sessionStorage.setItem(KEY, path);
};

/** The checkout to come back to, if one sent the person here. */
export const wayBack = (): string | undefined => sessionStorage.getItem(KEY) ?? undefined;

/** Where to go after signing in: once, then home. */
export const takeWayBack = (): string => {
  const path = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  return path?.startsWith('/booking/') ? path : '/';
};
