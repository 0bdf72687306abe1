import { defineConfig } from 'tsdown'
import { doors } from './scripts/doors.ts'

const shared = { target: 'es2022', sourcemap: true, fixedExtension: false } as const

export default defineConfig([
  { ...shared, name: 'turnbuckle', cwd: 'packages/turnbuckle', platform: 'neutral', dts: true, entry: doors },
  { ...shared, name: 'cli', cwd: 'packages/cli', platform: 'node', dts: false, entry: ['src/main.ts'] },
])
