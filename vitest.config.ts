import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{domain,command-api,projector,query-api,infra,web,tests}/**/*.spec.ts?(x)'],
    exclude: ['**/node_modules/**'],
    testTimeout: 30_000,
    hookTimeout: 90_000,
    maxWorkers: 2,
    globalSetup: ['tests/postgres.ts'],
  },
});
