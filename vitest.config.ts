import { availableParallelism } from 'node:os'
import type { ViteUserConfig } from 'vitest/config'

const source = (path: string): string => new URL(`./packages/turnbuckle/src/${path}`, import.meta.url).pathname

const beside = ['packages/{turnbuckle,server,site}/src/**/*.test.ts']

// Recordings of others: part of `npm run test:streams`.
const elsewhere = process.env['TURNBUCKLE_RECORDINGS']
  ? []
  : ['packages/turnbuckle/test/models/truncation-elsewhere.test.ts']

const config: ViteUserConfig = {
  resolve: {
    // Tests import the library by its public names and get its source: no build is needed.
    alias: [
      // Node runs no TypeScript in a thread: `globalSetup` bundles the thread's program, and this names the file.
      { find: './thread-file.ts', replacement: source('../test/thread-file.ts') },
      { find: /^@turnbuckle\/server$/, replacement: source('../../server/src/index.ts') },
      { find: /^@turnbuckle\/restate$/, replacement: source('../../restate/src/index.ts') },
      { find: /^turnbuckle$/, replacement: source('index.ts') },
      { find: /^turnbuckle\/([a-z-]+)$/, replacement: source('$1') },
    ],
  },
  test: {
    globalSetup: source('../test/bundle-thread.ts'),
    projects: [
      // These share one copy of the modules they import, which takes a quarter of the time. Modules of the web app and of the terminal have
      // state of a whole page or process.
      { extends: true, test: { name: 'beside', isolate: false, include: beside } },
      {
        extends: true,
        test: {
          name: 'alone',
          include: [
            'packages/!(turnbuckle|server|site)/src/**/*.test.ts',
            'packages/*/test/**/*.test.ts',
            'examples/**/*.test.ts',
          ],
          exclude: ['**/node_modules/**', ...elsewhere],
          typecheck: { enabled: false },
        },
      },
    ],
    // Both cores of a small machine: vitest would leave one to itself.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // For what hangs. A test that is only slow on a busy machine passes.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    // Notes for developers: tests that are about one look at the console themselves.
    onConsoleLog: log => !log.startsWith('turnbuckle: '),
    typecheck: {
      enabled: true,
      include: ['packages/*/{src,test}/**/*.test-d.ts'],
      tsconfig: './packages/turnbuckle/tsconfig.type-tests.json',
      // `npm run types` reports the errors in sources; here only type tests count.
      ignoreSourceErrors: true,
    },
    coverage: {
      include: ['packages/*/src/**/*.ts'],
      exclude: ['**/*.test.ts', '**/*.test-d.ts'],
      thresholds: { 'packages/turnbuckle/src/core/**/*.ts': { lines: 95 } },
    },
  },
}

export default config
