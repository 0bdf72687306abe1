import type { KnipConfig } from 'knip'
import { doors } from './scripts/doors.ts'

const config: KnipConfig = {
  // Run by the package test through node_modules/.bin, which knip cannot see.
  ignoreDependencies: ['@arethetypeswrong/cli'],
  // What a file exports and uses itself may be the type of something it exports: no dead code.
  ignoreExportsUsedInFile: true,
  workspaces: {
    '.': {
      entry: ['scripts/*.mjs', 'scripts/cluster/{simulate,check-manifests}.mjs', 'deploy/*.mjs'],
      project: ['scripts/**', 'deploy/**', '*.config.ts'],
    },
    'packages/turnbuckle': {
      // Some tests bundle child programs; the crash harness and the writer of fixtures are programs.
      entry: [
        ...Object.values(doors),
        // The program of a thread, and what stands for its place in tests.
        'src/conversation/sqlite/sqlite-thread.ts',
        'src/bin/turnbuckle.ts',
        'test/thread-file.ts',
        // Bundled by `npm run trace`.
        'test/trace-picture.ts',
        'test/**/*.test.ts',
        'test/fixtures/*',
        'test/durability/crash/*.{mjs,test.ts}',
        'test/architecture/walk-programs.ts',
        'test/durability/crash/{child,program}.ts',
        'test/durability/*-child.ts',
        // Bundled into the program of a thread.
        'test/durability/mortal-database.ts',
        'test/old-stores/write-fixtures.{mjs,ts}',
        // The conformance suite of MCP starts these.
        'test/mcp-conformance/{all.mjs,client.ts,server.ts,suite.d.mts}',
      ],
      project: ['{src,test}/**'],
      // Packages of its own, which only `npm run test:recordings` installs.
      ignore: ['test/recordings/**'],
      ignoreDependencies: [
        // Started as programs, by the path of their package.
        '@modelcontextprotocol/server-everything',
        '@modelcontextprotocol/server-filesystem',
        '@modelcontextprotocol/conformance',
        // The walks of the architecture page go through the server too.
        '@turnbuckle/server',
        'ws',
      ],
    },
    // The soak is a program, with a server that it starts.
    'packages/server': { entry: ['src/index.ts', 'test/*.test.ts', 'test/fixtures/*', 'test/soak/{all,server}.mjs'] },
    // The chaos run bundles programs; servers and workers of deploy/ are the users'.
    'packages/restate': {
      entry: ['src/index.ts', 'test/**/*.test.ts', 'test/chaos/{all,measure,worker,server,reader}.mjs'],
    },
    'packages/cli': {
      // The recording is bundled by scripts/record-cli.mjs.
      entry: ['src/main.ts', 'test/*.test.ts', 'test/recording/record.ts'],
      project: ['{src,test}/**'],
      // Served from its folder.
      ignoreDependencies: ['@turnbuckle/web'],
    },
    'packages/create-turnbuckle': { entry: ['src/main.ts', 'test/*.test.ts'], ignore: ['template/**'] },
    'packages/site': {
      // Visitors' files are loaded as text; VitePress and the page load the others by themselves.
      entry: ['src/run/run-worker.ts', 'src/scenarios/*/*.ts', 'src/**/*.test.ts', 'test/*.test.ts'],
      project: ['{src,test}/**', '.vitepress/**/*.ts'],
    },
    examples: { entry: ['**/*.ts'] },
  },
}

export default config
