import type { UserConfig } from 'tsdown'
import { doors } from './scripts/doors.ts'

const shared: UserConfig = { target: 'es2022', sourcemap: true, fixedExtension: false }

const config: UserConfig[] = [
  {
    ...shared,
    name: 'turnbuckle',
    cwd: 'packages/turnbuckle',
    platform: 'neutral',
    dts: true,
    entry: doors,
    // One file for the core: importing it is reading it, and many small files take longer.
    outputOptions: { codeSplitting: { groups: [{ name: 'core', test: /src[\\/]core[\\/]/ }] } },
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
    name: 'cli',
    cwd: 'packages/cli',
    platform: 'node',
    dts: false,
    entry: ['src/main.ts'],
    // Ink is three hundred small files: in one, the first prompt is there in a third of the time.
    noExternal: [/^(ink|react|react-reconciler|yoga-layout)(\/|$)/],
    alias: { 'react-devtools-core': new URL('packages/cli/src/no-devtools.ts', import.meta.url).pathname },
    define: { 'process.env.NODE_ENV': '"production"' },
  },
]

export default config
