/** The oldest PostgreSQL that the site works on: whoever keeps one of their own may have it. */
import { execFile } from 'node:child_process';
import { promisify, stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import { isInstalled, PROGRAMS, startDebianPostgres } from './kit/debian-postgres.ts';
import { atTheEnd } from './kit/endings.ts';

const why = isInstalled ? '' : ` (skipped, because there is no ${PROGRAMS} here)`;

/**
 * Each of the APIs' specs has a limit of its own, so this one ends only a run that does not come to an end at all. Beside other specs, on a
 * machine at a sixth of its speed, ten minutes were not enough.
 */
const LIMIT = 30 * 60_000;

it.skipIf(!isInstalled)(
  `PostgreSQL 15 serves both APIs in all that their specs ask of them${why}`,
  async ({ signal }) => {
    const server = await startDebianPostgres();
    atTheEnd(() => server.stop());
    const env = { ...process.env, SPEC_POSTGRES_URL: server.url, VITEST: undefined };
    // Without the signal they would go on after the limit, and slow down the others.
    const specs = promisify(execFile)('vitest', ['run', '--project', 'api'], {
      env,
      maxBuffer: 2 ** 26,
      signal,
    });
    const { stdout } = await specs.catch((failed: { readonly stdout: string; readonly stderr: string }) => {
      throw new Error(`${failed.stdout}\n${failed.stderr}`.slice(-20_000));
    });
    expect(stripVTControlCharacters(stdout)).toMatch(/Tests +\d+ passed/);
  },
  LIMIT,
);
