// Recorded streams of providers, cut after every byte: no turn hangs, no half call runs. Takes minutes.
// TURNBUCKLE_RECORDINGS=FOLDER adds recordings of others: FOLDER/PROVIDER/*.chunks.txt, one event's data a line.
import { spawnSync } from 'node:child_process'
import { ensureInstalled } from './ensure-installed.mjs'

ensureInstalled()
const { status } = spawnSync('npx', ['vitest', 'run', '--no-typecheck', 'packages/turnbuckle/test/models/trunc'], {
  stdio: 'inherit',
  shell: process.platform === 'win32',
  env: { ...process.env, TURNBUCKLE_STREAMS: 'full' },
})
process.exit(status ?? 1)
