import { COOKIE_CONSENT } from '#domain/contracts/envelope.ts';
import { forVisits, readCookies, tellServer } from '../lib/storage.ts';

type Consent = 'accepted' | 'rejected';

/** What was answered to the question about cookies; null before. */
export const consentGiven = (): string | null => forVisits.get(COOKIE_CONSENT);

/** Keeps the answer; the server hears of it, since it renders the first page with the question for those who were not asked yet. */
export const giveConsent = (answer: Consent): void => {
  forVisits.set(COOKIE_CONSENT, answer);
  tellServer(COOKIE_CONSENT, answer);
};

/** Tells the server what was answered before, where its cookie is gone: some browsers keep a script's for a week. */
export const repeatConsent = (): void => {
  const given = consentGiven();
  if (given && !readCookies().includes(`${COOKIE_CONSENT}=`)) tellServer(COOKIE_CONSENT, given);
};
