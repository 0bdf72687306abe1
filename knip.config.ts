import type { KnipConfig } from 'knip'
import { doors } from './scripts/doors.ts'

const config: KnipConfig = {
  // Run by the package test through node_modules/.bin, which knip cannot see.
  ignoreDependencies: ['@arethetypeswrong/cli'],
  workspaces: {
    '.': { entry: ['scripts/*.mjs'], project: ['scripts/**', '*.config.ts'] },
    'packages/turnbuckle': {
      entry: [...Object.values(doors), 'test/**/*.test.ts', 'test/fixtures/*'],
      project: ['{src,test}/**'],
    },
    'packages/cli': { entry: ['src/main.ts'], project: ['src/**'] },
    examples: { entry: ['**/*.ts'] },
  },
}

export default config
