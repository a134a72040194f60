import { parsePositionToken } from '#domain/contracts/envelope.ts';
import { forTab } from '#web/lib/storage.ts';

/** Highest log position seen, sent with every query for read-your-writes consistency. Kept per tab to survive a reload. */
const KEY = 'log-position';

let seen = forTab.get(KEY) ?? undefined;

export const seenPosition = (): string | undefined => seen;

/** Discards a position that the log lost in a restore, which no read model would ever reach. */
export const forgetPosition = (lost: string | undefined): void => {
  if (seen !== lost) return;
  seen = undefined;
  forTab.remove(KEY);
};

/** Tokens of the same log advance only; a token of another log replaces the old one. */
export const sawPosition = (value: string | null | undefined): void => {
  const next = parsePositionToken(value ?? undefined);
  if (!next || !value) return;
  const before = parsePositionToken(seen);
  if (before && before.log === next.log && before.position >= next.position) return;
  seen = value;
  forTab.set(KEY, value);
};
