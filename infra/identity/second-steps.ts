import { z } from 'zod';
import { createTextSealer } from '#infra/keys/cipher.ts';
import type { Clock } from '#infra/lib/clock.ts';

export const SECOND_STEP_LIFE = 600;

const stepSchema = z.object({
  accountId: z.string(),
  /** A password change ends the sign-in. */
  passwordChanges: z.number(),
  joins: z.optional(z.object({ issuer: z.string(), subject: z.string() })),
  /** Milliseconds since 1970. */
  endsAt: z.number(),
});

export type FirstStep = Omit<z.infer<typeof stepSchema>, 'endsAt'>;

/** Sealed in a browser cookie after the password or Google, so that any process can finish the sign-in. */
export interface SecondSteps {
  begin(step: FirstStep): string;
  read(sealed: string | undefined): FirstStep | undefined;
}

const CONTEXT = 'first step';

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
