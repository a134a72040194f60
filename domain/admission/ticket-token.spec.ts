import { describe, expect, it } from 'vitest';
import { isExpired } from './ticket-token.ts';

const HOUR = 3_600_000;
const START = '2026-12-01T20:00:00.000Z';
const printed = { expiresAt: Date.parse('2026-12-02T20:00:00.000Z') / 1000 };
const hoursAfter = (hours: number, of = START) => new Date(Date.parse(of) + hours * HOUR);

describe('a ticket', () => {
  it('is valid until a day after the start', () => {
    expect(isExpired(printed, START, hoursAfter(24))).toBe(false);
    expect(isExpired(printed, START, hoursAfter(24.1))).toBe(true);
  });

  it('stays valid for an event that was moved to a later day', () => {
    const moved = '2026-12-08T20:00:00.000Z';
    expect(isExpired(printed, moved, hoursAfter(0, moved))).toBe(false);
    expect(isExpired(printed, moved, hoursAfter(24.1, moved))).toBe(true);
  });

  it('keeps its first expiry if the event was moved to an earlier day', () => {
    expect(isExpired(printed, '2026-11-20T20:00:00.000Z', hoursAfter(1))).toBe(false);
  });
});
