import { authCalls } from '#domain/contracts/auth.ts';
import { call } from '#web/lib/api/client.ts';
import { forgetSignedIn, tellOtherTabs, whoIsThere } from '#web/lib/api/session.ts';
import { failureOf } from '#web/lib/failure.ts';
import { forTab, TYPED_FORM } from '#web/lib/storage.ts';

/** On failure, resolves to whether the user is still signed in, if known. */
export const logOut = async (): Promise<'out' | 'still in' | 'unknown'> => {
  try {
    await call(authCalls.logout);
  } catch (error) {
    if (failureOf(error) === 'not-sent') return 'still in';
    const there = await whoIsThere().catch(() => undefined);
    if (there !== null) return there ? 'still in' : 'unknown';
  }
  forgetSignedIn();
  forTab.remove(TYPED_FORM);
  tellOtherTabs();
  location.assign('/');
  return 'out';
};
