import { availableParallelism } from 'node:os'
import type { ViteUserConfig } from 'vitest/config'

const source = (path: string): string => new URL(`./packages/turnbuckle/src/${path}`, import.meta.url).pathname

/** Modules of the web app and of the terminal have state of a whole page or process: each file has them anew. */
const fresh = ['packages/{web,cli}/src/**/*.test.ts']

/** Tests that need a process of their own. */
const alone = [
  // Programs as a user runs them, in processes of their own: there is nothing to share.
  'packages/{cli,create-turnbuckle,restate}/test/**/*.test.ts',
  'examples/**/*.test.ts',
  // Code of the pages, which does in its process what a reader's program would.
  'packages/turnbuckle/test/docs.test.ts',
  // These measure the process, or listen to its warnings and to rejections that nobody handles.
  'packages/server/test/{load,stalled}.test.ts',
  'packages/turnbuckle/test/loop/{any-timing,properties}.test.ts',
  'packages/turnbuckle/test/models/claude-agent.test.ts',
  // These load the library as their user's process has it; the others replace a module.
  'packages/cli/src/settings/bundle-module.test.ts',
  'packages/cli/src/compose/hooks/*.test.ts',
  'packages/cli/src/chat/slash/go-back.test.ts',
  'packages/cli/src/compose/file-versions.test.ts',
]

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
      // A process, the modules that a file imports and a browser take longer to start than most files take: files share them, one after the other.
      // A test leaves no global and no environment variable behind.
      {
        extends: true,
        test: {
          name: 'beside',
          isolate: false,
          include: ['packages/*/{src,test}/**/*.test.ts'],
          exclude: ['**/node_modules/**', ...fresh, ...alone, ...elsewhere],
        },
      },
      {
        extends: true,
        test: {
          name: 'fresh',
          isolate: false,
          include: fresh,
          exclude: alone,
          setupFiles: source('../test/fresh-modules.ts'),
          typecheck: { enabled: false },
        },
      },
      { extends: true, test: { name: 'alone', include: alone, typecheck: { enabled: false } } },
    ],
    // Two for each core: tests of the terminal, of servers and of pages wait for other processes half of their time.
    maxWorkers: availableParallelism() * 2,
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
