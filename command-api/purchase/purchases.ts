import type { CommandDeps } from '#command-api/deps/deps.ts';
import { intentsInOrder } from './advance.ts';
import { type CheckoutDeps, Desk } from './desk.ts';
import type { EndingDeps } from './end-purchases.ts';
import { createReadings, type Readings } from './readings.ts';
import { type Wishes, wishesAsJobs } from './wishes.ts';

export interface Purchases extends EndingDeps {
  readonly desk: Desk;
  readonly readings: Readings;
}

export type PurchaseParts = Pick<CommandDeps, 'lane' | 'clock' | 'log' | 'keys'> &
  Pick<CheckoutDeps, 'gateway' | 'holdFor' | 'holdLimits'> & {
    readonly database: Pick<CommandDeps['database'], 'pool'>;
    readonly wishes?: Wishes;
  };

export const createPurchases = (given: PurchaseParts): Purchases => {
  const { lane, clock, log, keys, gateway, holdFor, holdLimits } = given;
  const { pool } = given.database;
  const { wishes = wishesAsJobs(pool) } = given;
  const readings = createReadings({ lane, clock });
  keys.onDestroyed(readings.forget);
  const inOrder = intentsInOrder();
  const desk = new Desk({ clock, gateway, inOrder, readings, holdFor, holdLimits });
  return { lane, clock, log, pool, gateway, inOrder, wishes, readings, desk };
};
