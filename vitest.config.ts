import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { SWEEPS } from './tests/kit/sweep.ts';

const PRODUCT = '{domain,command-api,projector,query-api,infra,web}/**';
const CLIENT = 'web/**/*.spec.ts';
const NEEDS_POSTGRES = '**/*.database.spec.ts';
const ONLY_ENDURE = '**/*.endure.spec.ts';

type Options = NonNullable<TestProjectInlineConfiguration['test']>;

const project = (
  name: string,
  include: readonly string[],
  { exclude = [], ...more }: Options & { exclude?: string[] } = {},
) => ({
  test: {
    name,
    include: [...include],
    exclude: ['**/node_modules/**', ...exclude],
    setupFiles: ['tests/kit/setup.ts'],
    // A process runs one file after the other: nearly half of a file's time was its imports.
    isolate: false,
    // Node runs the product itself, and its specs, too: Vite would translate and wrap each file first.
    experimental: { viteModuleRunner: false },
    // Far more than a busy machine needs: they end what hangs, and prove nothing.
    testTimeout: 120_000,
    hookTimeout: 300_000,
    ...more,
  },
});

/** `vitest run --project unit` runs one of them alone. */
export default defineConfig({
  test: {
    maxWorkers: 3,
    globalSetup: ['tests/kit/postgres.ts'],
    projects: [
      // What needs nothing but itself.
      project('unit', [`${PRODUCT}/*.spec.ts`, 'tests/{,bench/,kit/}*.spec.ts', 'tests/fuzz/judge.spec.ts'], {
        exclude: [CLIENT, NEEDS_POSTGRES, ONLY_ENDURE],
      }),
      // The client's parts that need no page. People get them from Vite, and so do specs.
      project('client', [CLIENT], { experimental: {} }),
      // What needs PostgreSQL: parts of the product, and the ports' promises against each of their adapters.
      project('database', [NEEDS_POSTGRES, 'tests/conformance/*.spec.ts']),
      // Both APIs, each spec on a site of its own in its process.
      project('api', ['tests/api/*.spec.ts']),
      // The client in Chromium, on one site that all specs share.
      project('browser', ['tests/browser/*.spec.ts'], {
        exclude: [ONLY_ENDURE],
        globalSetup: ['tests/kit/running-site.ts'],
      }),
      // `npm run endure`: sweeps, whole; what makes and kills servers of its own; and short rounds of what is run for long by hand.
      project('endure', [ONLY_ENDURE, ...SWEEPS, 'tests/chaos/*.spec.ts', 'tests/fuzz/fuzz.spec.ts'], {
        globalSetup: ['tests/kit/running-site.ts'],
        testTimeout: 600_000,
        env: { SWEEPS: 'whole' },
      }),
    ],
  },
});
