// The pictures and the recording of the web app in docs/images, taken anew in a real browser. With a folder, every view at four widths, by
// day and by night, for somebody to look at. `npm run record:web [-- FOLDER]`.
import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { ensureInstalled } from './ensure-installed.mjs'

ensureInstalled()
const [folder] = process.argv.slice(2)
const { status } = spawnSync('npx', ['vitest', 'run', '--no-typecheck', 'packages/web/test/screenshots.test.ts'], {
  stdio: 'inherit',
  shell: process.platform === 'win32',
  env: { ...process.env, ...(folder ? { SCREENSHOTS_FOLDER: resolve(folder) } : { SCREENSHOTS: '1' }) },
})
process.exit(status ?? 1)
