// 500,000 generated shell lines in a real bash: no command runs that the analysis has not seen. Takes about an hour.
// TURNBUCKLE_SHELL=N for another number of lines, TURNBUCKLE_SEED=N for others.
import { spawnSync } from 'node:child_process'
import { ensureInstalled } from './ensure-installed.mjs'

ensureInstalled()
const { status } = spawnSync('npx', ['vitest', 'run', '--no-typecheck', 'packages/turnbuckle/test/shell'], {
  stdio: 'inherit',
  shell: process.platform === 'win32',
  env: { TURNBUCKLE_SHELL: '500000', ...process.env },
})
process.exit(status ?? 1)
