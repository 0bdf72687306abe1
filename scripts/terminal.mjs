// 100,000 random byte strings through every command that prints: nothing of them drives the terminal. Takes minutes.
// TURNBUCKLE_TERMINAL=N for another number of strings, TURNBUCKLE_SEED=N for others.
import { spawnSync } from 'node:child_process'
import { ensureInstalled } from './ensure-installed.mjs'

ensureInstalled()
const { status } = spawnSync('npx', ['vitest', 'run', '--no-typecheck', 'packages/cli/test/hostile-terminal.test.ts'], {
  stdio: 'inherit',
  shell: process.platform === 'win32',
  env: { TURNBUCKLE_TERMINAL: '100000', ...process.env },
})
process.exit(status ?? 1)
