import { z } from 'zod';
import { createTextSealer } from '#infra/keys/cipher.ts';
import type { Clock } from '#infra/lib/clock.ts';

/** How long the second step of a sign-in may take, in seconds: the lifetime of its cookie. */
export const SECOND_STEP_LIFE = 600;

const stepSchema = z.object({
  accountId: z.string(),
  /** The account's `passwordChanges` at the first step: a new password ends the sign-in. */
  passwordChanges: z.number(),
  /** The Google identity that is to be joined to the account once the code was given. */
  joins: z.optional(z.object({ issuer: z.string(), subject: z.string() })),
  /** Epoch milliseconds. */
  endsAt: z.number(),
});

/** What the first step of a sign-in has shown. */
export type FirstStep = Omit<z.infer<typeof stepSchema>, 'endsAt'>;

/**
 * Keeps the first step of a sign-in (the password, or Google) until its second (a code): sealed, in a cookie of that browser, so that
 * any process can finish it.
 */
export interface SecondSteps {
  begin(step: FirstStep): string;
  /** The first step; undefined if it is too old, or not ours. */
  read(sealed: string | undefined): FirstStep | undefined;
}

const CONTEXT = 'first step';

/** Second steps under a key that derives from the master key. */
export const createSecondSteps = (masterKey: Uint8Array, clock: Clock): SecondSteps => {
  const sealer = createTextSealer(masterKey, 'second step of a sign-in');
  return {
    begin: (step) =>
      sealer.seal(CONTEXT, JSON.stringify({ ...step, endsAt: clock().getTime() + SECOND_STEP_LIFE * 1_000 })),
    read(sealed) {
      const text = sealer.open(CONTEXT, sealed ?? '');
      if (text === undefined) return undefined;
      const { endsAt, ...step } = stepSchema.parse(JSON.parse(text));
      return endsAt > clock().getTime() ? step : undefined;
    },
  };
};
