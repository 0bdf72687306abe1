/**
 * A program for `node -e`, which runs a command inside the sandbox and carries connections from a port in there to the proxy's socket.
 * Its arguments are the socket and the command line. A text, because it runs in another process, where the library is not loaded.
 */
export const relayScript = `
const { connect, createServer } = require('node:net')
const { spawn } = require('node:child_process')
const { constants } = require('node:os')
const [socket, program, ...args] = process.argv.slice(1)
const relay = createServer(near => {
  const far = connect(socket)
  for (const [one, other] of [[near, far], [far, near]]) one.on('error', () => {}).on('close', () => other.destroy())
  near.pipe(far).pipe(near)
})
relay.listen(0, '127.0.0.1', () => {
  const address = 'http://127.0.0.1:' + relay.address().port
  const env = { ...process.env }
  for (const name of ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY']) env[name] = address
  const child = spawn(program, args, { stdio: 'inherit', env })
  child.on('error', error => { console.error(error.message); process.exit(127) })
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
})
`
