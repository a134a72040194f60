import type { ActingHandler } from '#command-api/commands/command-handler.ts';
import { account } from '#domain/account/account.ts';
import { isErased } from '#domain/kernel/personal.ts';
import { Refusal } from '#domain/kernel/refusal.ts';
import { isOfAge } from '#domain/listing/minimum-age.ts';
import type { OnSale } from '#domain/listing/state.ts';

/**
 * Age on the event's date.
 * @throws Refusal TOO_YOUNG, PROFILE_INCOMPLETE, ERASED
 */
export const demandAge = async (
  userId: string,
  { minimumAge, schedule: { date } }: OnSale,
  acting: ActingHandler,
): Promise<void> => {
  if (!minimumAge) return;
  const { dateOfBirth } = (await acting.state(account, userId)).state;
  if (isErased(dateOfBirth)) throw new Refusal('ERASED');
  if (dateOfBirth === null) throw new Refusal('PROFILE_INCOMPLETE', { requiresProfile: true });
  if (isOfAge(dateOfBirth, minimumAge, date)) return;
  const message =
    `This event is for people aged ${minimumAge} and over. By the date of birth in your profile you will be ` +
    'younger on the day. If that date is wrong, please contact us.';
  throw new Refusal('TOO_YOUNG', { minimumAge }, { message });
};
