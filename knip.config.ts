import type { KnipConfig } from 'knip'
import { doors } from './scripts/doors.ts'

const config: KnipConfig = {
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
