// 2,000 power cuts: a disk that drops or tears what was not synced. Nothing that was told is lost. Takes minutes.
// TURNBUCKLE_POWER=N for another number of cuts, TURNBUCKLE_SEED=N for others.
import { spawnSync } from 'node:child_process'
import { ensureInstalled } from './ensure-installed.mjs'

ensureInstalled()
const { status } = spawnSync('npx', ['vitest', 'run', '--no-typecheck', 'packages/turnbuckle/test/durability/power'], {
  stdio: 'inherit',
  shell: process.platform === 'win32',
  env: { TURNBUCKLE_POWER: '2000', ...process.env },
})
process.exit(status ?? 1)
