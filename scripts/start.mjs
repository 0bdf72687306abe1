// npm start and npm run turnbuckle: installs and builds what is missing, then runs the command line; without arguments
// the terminal chat. `serve` goes to the server at once.
import { spawn } from 'node:child_process'
import { build, ensureInstalled, root } from './ensure-installed.mjs'

ensureInstalled()
build()
const args = process.argv.length > 2 ? process.argv.slice(2) : ['chat']
const program = args[0] === 'serve' ? ['server/dist/serve.js', ...args.slice(1)] : ['cli/dist/main.js', ...args]
const child = spawn(process.execPath, [`${root}packages/${program[0]}`, ...program.slice(1)], { stdio: 'inherit' })
// Ctrl-C reaches the child too; it decides when to end.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => child.kill('SIGTERM'))
child.on('exit', (code, signal) => {
  process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 1)
})
