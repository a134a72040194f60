import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

const PRODUCT = '{domain,command-api,projector,query-api,infra,web}/**';
const NEEDS_POSTGRES = '**/*.database.spec.ts';

type Options = NonNullable<TestProjectInlineConfiguration['test']>;

const project = (name: string, include: readonly string[], more: Options = {}) => ({
  test: {
    name,
    include: [...include],
    setupFiles: ['tests/kit/setup.ts'],
    // A process runs one file after the other: nearly half of a file's time was its imports.
    isolate: false,
    // Far more than a busy machine needs: they end what hangs, and prove nothing.
    testTimeout: 120_000,
    hookTimeout: 300_000,
    ...more,
  },
});

/** `vitest run --project unit` runs one of them alone. */
export default defineConfig({
  test: {
    maxWorkers: 2,
    globalSetup: ['tests/kit/postgres.ts'],
    projects: [
      // What needs nothing but itself.
      project('unit', [`${PRODUCT}/*.spec.ts`, 'tests/{,bench/,kit/}*.spec.ts', 'tests/fuzz/judge.spec.ts'], {
        exclude: ['**/node_modules/**', NEEDS_POSTGRES],
      }),
      // What needs PostgreSQL: parts of the product, and the ports' promises against each of their adapters.
      project('database', [NEEDS_POSTGRES, 'tests/conformance/*.spec.ts']),
      // Both APIs, each spec on a site of its own in its process.
      project('api', ['tests/api/*.spec.ts']),
      // The client in Chromium, mostly on one site that all specs share.
      project('browser', ['tests/browser/*.spec.ts'], { globalSetup: ['tests/kit/running-site.ts'] }),
      // Short rounds of what is run for long by hand: `npm run endure`.
      project(
        'endure',
        ['tests/chaos/*.spec.ts', 'tests/fuzz/fuzz.spec.ts', 'tests/browser/endure/*.spec.ts'],
        {
          globalSetup: ['tests/kit/running-site.ts'],
        },
      ),
    ],
  },
});
