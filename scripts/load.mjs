// The server's load test at full size: 1,000 conversations, 200 sockets, 20 of them stalled. Takes minutes.
import { spawnSync } from 'node:child_process'
import { ensureInstalled } from './ensure-installed.mjs'

ensureInstalled()
const { status } = spawnSync(
  'npx',
  ['vitest', 'run', '--no-typecheck', 'packages/server/test/load.test.ts', 'packages/server/test/stalled.test.ts'],
  {
    stdio: 'inherit',
    shell: process.platform === 'win32',
    env: { ...process.env, TURNBUCKLE_LOAD: 'full' },
  },
)
process.exit(status ?? 1)
