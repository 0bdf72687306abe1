// All 5,000 hostile Markdown and HTML texts in a real browser: no script runs, nothing leaves the origin. Takes minutes.
import { spawnSync } from 'node:child_process'
import { ensureInstalled } from './ensure-installed.mjs'

ensureInstalled()
const { status } = spawnSync('npx', ['vitest', 'run', '--no-typecheck', 'packages/web/test/hostile.test.ts'], {
  stdio: 'inherit',
  shell: process.platform === 'win32',
  env: { ...process.env, TURNBUCKLE_HOSTILE: 'full' },
})
process.exit(status ?? 1)
