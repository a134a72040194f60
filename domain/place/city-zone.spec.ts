import { describe, expect, it } from 'vitest';
import { isZone } from './city-zone.ts';

describe('a city’s zone', () => {
  it.each(['Europe/London', 'Europe/Dublin', 'America/Argentina/Buenos_Aires', 'Etc/UTC', 'UTC'])(
    'can be %s',
    (zone) => {
      expect(isZone(zone)).toBe(true);
    },
  );

  it.each([
    'Mars/Olympus',
    'BST',
    'EST',
    'GB',
    'utc',
    '+05:30',
    'SystemV/AST4',
    'US/Pacific-New',
    'canada/east-saskatchewan',
  ])('cannot be %s, which some programs read differently or not at all', (zone) => {
    expect(isZone(zone)).toBe(false);
  });
});
