import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{domain,command-api,projector,query-api,infra,web,tests}/**/*.spec.ts?(x)'],
    exclude: ['**/node_modules/**'],
    // Far more than a busy machine needs: they end what hangs, and prove nothing.
    testTimeout: 120_000,
    hookTimeout: 300_000,
    maxWorkers: 2,
    globalSetup: ['tests/kit/postgres.ts'],
    setupFiles: ['tests/kit/setup.ts'],
  },
});
