import type { UserConfig } from 'tsdown'
import { doors } from './scripts/doors.ts'

const shared: UserConfig = { target: 'es2022', sourcemap: true, fixedExtension: false }

/** All that `import 'turnbuckle'` needs, but for its types: they are a chunk of their own. */
const root =
  /src[\\/](core[\\/]|create-agent|named-model|middleware[\\/](circuit-breaker|option)\.|models[\\/](offline|expression)|tools[\\/](agent-tool|arguments)\.)/

/** Folders of the terminal by who needs them: every command, those that print, those that have an agent, the chat. */
const terminalRooms = Object.entries({
  base: /cli[\\/]src[\\/](command-table|(command-line|errors)[\\/])/,
  text: /cli[\\/]src[\\/]text[\\/]/,
  agent: /cli[\\/]src[\\/](compose|settings|store)[\\/]/,
  chat: /cli[\\/]src[\\/]chat[\\/]/,
}).map(([name, test]) => ({ name, test }))

const config: UserConfig[] = [
  {
    ...shared,
    name: 'turnbuckle',
    cwd: 'packages/turnbuckle',
    platform: 'neutral',
    dts: true,
    entry: doors,
    // In one file and without comments: importing is reading, and each file more takes a millisecond.
    outputOptions: {
      comments: { jsdoc: false },
      codeSplitting: { groups: [{ name: 'core', test: (id: string) => root.test(id) && !id.includes('.d.ts') }] },
    },
  },
  {
    ...shared,
    name: 'sqlite-thread',
    cwd: 'packages/turnbuckle',
    platform: 'node',
    dts: false,
    // One file that imports no other of ours: a thread starts as fast as it is small.
    entry: ['src/conversation/sqlite/sqlite-thread.ts'],
    fixedExtension: true,
    clean: false,
  },
  {
    ...shared,
    name: 'bin',
    cwd: 'packages/turnbuckle',
    platform: 'node',
    dts: false,
    entry: { bin: 'src/bin/turnbuckle.ts' },
    clean: false,
  },
  {
    ...shared,
    name: 'server',
    cwd: 'packages/server',
    platform: 'node',
    dts: true,
    entry: ['src/index.ts'],
  },
  {
    ...shared,
    name: 'restate',
    cwd: 'packages/restate',
    platform: 'node',
    dts: true,
    entry: ['src/index.ts'],
  },
  {
    ...shared,
    name: 'cli',
    cwd: 'packages/cli',
    platform: 'node',
    dts: false,
    entry: ['src/main.ts'],
    // Few files, for the same reason.
    outputOptions: { codeSplitting: { groups: terminalRooms } },
  },
  {
    ...shared,
    name: 'create-turnbuckle',
    cwd: 'packages/create-turnbuckle',
    platform: 'node',
    dts: false,
    entry: ['src/main.ts'],
  },
]

export default config
