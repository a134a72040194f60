/** Which failures an event is to blame for, and which only pass by. */
import { CannotStart } from '#infra/cannot-start.ts';
import { SealBroken, UnknownEventType } from '#infra/event-log/codec.ts';

const sqlState = (error: unknown): string | undefined => {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' && /^[0-9A-Z]{5}$/.test(error.code) ? error.code : undefined;
};

/** Cardinality, data, integrity and program limits: PostgreSQL would refuse the same rows again. */
const REFUSED = /^(21|22|23|54)/;

/** Whether PostgreSQL refused the rows themselves. Anything else (a lost connection, no room, a deadlock) passes. */
export const refusesRows = (error: unknown): boolean => REFUSED.test(sqlState(error) ?? '');

/** Whether these bytes can't be decoded, whenever it is tried. A key store that is down passes. */
export const refusesBytes = (error: unknown): boolean =>
  error instanceof UnknownEventType ||
  error instanceof SealBroken ||
  error instanceof SyntaxError ||
  error instanceof TypeError ||
  error instanceof RangeError;

/** As PostgreSQL can keep it: a key may hold a NUL, and the excerpt that an error quotes may be cut within a character. */
export const keepable = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd');

export const messageOf = (error: unknown): string =>
  keepable(error instanceof Error ? error.message : String(error));

/** Somebody else moved the checkpoint or took the lease: this one's work is undone, and it reads everything anew. */
export class CheckpointMoved extends Error {
  override readonly name = 'CheckpointMoved';
  constructor() {
    super('the checkpoint was moved by somebody else');
  }
}

/** The read models were made from another log. Nothing is ever projected into them from this one. */
export class OtherLogsCheckpoint extends CannotStart {
  override readonly name = 'OtherLogsCheckpoint';
  constructor(schema: string, theirs: string, ours: string) {
    super(
      `The read models in "${schema}" were made from log ${theirs}, but this is log ${ours}. ` +
        'Point EVENT_STORE_URL and DATABASE_URL at the same installation, or run "npm run rebuild".',
    );
  }
}

/** The read models were folded by other versions of the projections. */
export class OtherVersions extends Error {
  override readonly name = 'OtherVersions';
  constructor(schema: string, names: readonly string[]) {
    super(
      `The read models in "${schema}" were made by other versions of ${names.join(', ')}: run "npm run rebuild".`,
    );
  }
}
