import { defineConfig } from 'vitest/config';
import { quietRuntime } from './src/config.ts';
import { findPostgres } from './test/support/start-postgres.ts';

if (!findPostgres()) {
  console.warn(
    'PostgreSQL is not installed: the API tests run on SQLite only. Install it with: apt-get install postgresql',
  );
}

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    env: { ...quietRuntime },
    testTimeout: 120_000,
    hookTimeout: 300_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'embedded',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'web/src/**/*.test.ts'],
          exclude: ['test/faults/**'],
        },
      },
      ...(findPostgres()
        ? [
            {
              extends: true as const,
              test: {
                name: 'postgres',
                include: ['test/api/**/*.test.ts', 'test/security/{access,pin,roles,sessions,single-sign-on}.test.ts'],
                // They test the engine and the texts. `refine.test.ts` and others train and refine on this database too.
                exclude: [
                  'test/api/supervised.test.ts',
                  'test/api/refine-algorithms.test.ts',
                  'test/api/languages.test.ts',
                ],
                globalSetup: ['test/support/postgres-setup.ts'],
                env: { ...quietRuntime, KENSA_TEST_BACKEND: 'postgres' },
              },
            },
          ]
        : []),
    ],
  },
});
