import { parsePositionToken } from '#domain/contracts/envelope.ts';
import { forTab } from '../lib/storage.ts';

/**
 * How far into the log this person has seen. Sent with every query, so that they always see what they just did. Kept for the
 * tab, so that a reload after a purchase still waits for it.
 */
const KEY = 'log-position';

let seen = forTab.get(KEY) ?? undefined;

/** The highest token seen, if any. */
export const seenPosition = (): string | undefined => seen;

/** Forgets a token whose position the log has lost in a restore: no query would ever reach it. */
export const forgetPosition = (lost: string | undefined): void => {
  if (seen !== lost) return;
  seen = undefined;
  forTab.remove(KEY);
};

/** Takes a token of an answer or a live message. Positions of one log sort as text; another log's token starts anew. */
export const sawPosition = (value: string | null | undefined): void => {
  const next = parsePositionToken(value ?? undefined);
  if (!next || !value) return;
  const before = parsePositionToken(seen);
  if (before && before.log === next.log && before.position >= next.position) return;
  seen = value;
  forTab.set(KEY, value);
};
