import { defineConfig } from 'vitest/config';

/** `npm run test:faults`: processes are killed and disks filled, one after the other. */
export default defineConfig({
  test: {
    include: ['test/faults/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 300_000,
    hookTimeout: 600_000,
  },
});
