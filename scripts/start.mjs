// npm start and npm run turnbuckle: installs and builds what is missing, then runs the command line; without arguments
// the terminal chat.
import { spawn } from 'node:child_process'
import { ensureBuilt } from './ensure-built.mjs'
import { ensureInstalled, root } from './ensure-installed.mjs'

ensureInstalled()
ensureBuilt()
const args = process.argv.length > 2 ? process.argv.slice(2) : ['chat']
// npm goes to this folder (`npm --prefix`); the project is where the person is.
const { npm_lifecycle_event: script, INIT_CWD } = process.env
const cwd = script === 'start' || script === 'turnbuckle' ? INIT_CWD : undefined
const child = spawn(process.execPath, [`${root}packages/cli/dist/main.js`, ...args], { stdio: 'inherit', cwd })
// Ctrl-C reaches the child too; it decides when to end.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => child.kill('SIGTERM'))
child.on('exit', (code, signal) => {
  process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 1)
})
