import { describe, expect, it } from 'vitest';
import versions from '#versions.json' with { type: 'json' };
import { digests, raised } from './versions.ts';

it('versions.json matches the code', () => {
  expect(raised(versions, digests()), 'run "npm run versions"').toEqual(versions);
});

describe('raising the versions', () => {
  const before = {
    program: 7,
    jobs: { version: 5, digest: 'jobs' },
    webhooks: { version: 1, digest: 'hooks' },
    projections: { one: { version: 7, digest: 'one' }, two: { version: 2, digest: 'two' } },
  };
  const now = { jobs: 'jobs', webhooks: 'hooks', projections: { one: 'one', two: 'two' } };

  it('keeps them if nothing has changed', () => {
    expect(raised(before, now)).toBe(before);
  });

  it('lifts changed ones above all earlier ones', () => {
    expect(raised(before, { ...now, jobs: 'more' })).toEqual({
      ...before,
      program: 8,
      jobs: { version: 8, digest: 'more' },
    });
    expect(
      raised(before, { ...now, projections: { ...now.projections, two: 'more', three: 'three' } }),
    ).toEqual({
      ...before,
      program: 8,
      projections: {
        one: before.projections.one,
        two: { version: 8, digest: 'more' },
        three: { version: 8, digest: 'three' },
      },
    });
  });

  it('lifts the other projections if one is dropped', () => {
    expect(raised(before, { ...now, projections: { two: 'two' } })).toEqual({
      ...before,
      program: 8,
      projections: { two: { version: 8, digest: 'two' } },
    });
  });
});
