import { COOKIE_CONSENT } from '#domain/contracts/envelope.ts';
import { forVisits, readCookies, tellServer } from '#web/lib/storage.ts';

type Consent = 'accepted' | 'rejected';

export const consentGiven = (): string | null => forVisits.get(COOKIE_CONSENT);

/** Also sent to the server, which renders the banner for visitors who have not answered. */
export const giveConsent = (answer: Consent): void => {
  forVisits.set(COOKIE_CONSENT, answer);
  tellServer(COOKIE_CONSENT, answer);
};

/** Some browsers expire script-set cookies after a week, so the cookie is restored from local storage. */
export const repeatConsent = (): void => {
  const given = consentGiven();
  if (given && !readCookies().includes(`${COOKIE_CONSENT}=`)) tellServer(COOKIE_CONSENT, given);
};
