// The Restate server out of npm: installed when somebody asks for it, and not by `npm ci`, since its binary has 216 MB.
import { spawn } from 'node:child_process'
import { openSync } from 'node:fs'
import { join } from 'node:path'
import { fetchPackages } from './fetch-packages.mjs'

const version = '1.7.12'
const platform = `${process.platform}-${process.arch}`

/** The path of the server's binary. */
export function ensureRestate() {
  const modules = fetchPackages(`restate-${version}`, [`@restatedev/restate-server@${version}`])
  return join(modules, `@restatedev/restate-server-${platform}/bin/restate-server`)
}

/** The settings that workers behind one address need, and that a small machine can bear. docs/cluster.md says why. */
export const restateSettings = {
  RESTATE_DISABLE_TELEMETRY: 'true',
  RESTATE_LOG_FILTER: 'error',
  RESTATE_ROCKSDB_TOTAL_MEMORY_SIZE: '512MB',
  RESTATE_DEFAULT_NUM_PARTITIONS: '4',
  // Few streams on a connection, so that a balancer of connections spreads turns.
  RESTATE_WORKER__INVOKER__HTTP2_STREAMS_PER_CONNECTION_LIMIT: '1',
  // A worker that is stopped, or behind a cut cable, is known to be gone after three to four seconds.
  RESTATE_WORKER__INVOKER__HTTP2_KEEP_ALIVE_INTERVAL: '1s',
  RESTATE_WORKER__INVOKER__HTTP2_KEEP_ALIVE_TIMEOUT: '2s',
  RESTATE_WORKER__INVOKER__CONNECT_TIMEOUT: '2s',
  // A turn that was cut off is given to a worker again for as long as it takes.
  RESTATE_DEFAULT_RETRY_POLICY__MAX_ATTEMPTS: 'unlimited',
}

/** Starts the server on these ports of the loopback address, on the data of `folder`. `stop` asks it to end, `kill` does not. */
export function startRestate({ folder, ingressPort, adminPort, nodePort }) {
  const log = openSync(join(folder, 'restate.log'), 'a')
  const child = spawn(ensureRestate(), ['--no-logo', '--listen-mode', 'tcp', '--node-name', 'one'], {
    cwd: folder,
    stdio: ['ignore', log, log],
    env: {
      ...process.env,
      ...restateSettings,
      RESTATE_BASE_DIR: join(folder, 'restate'),
      RESTATE_BIND_IP: '127.0.0.1',
      RESTATE_ADVERTISED_HOST: '127.0.0.1',
      RESTATE_BIND_PORT: String(nodePort),
      RESTATE_INGRESS__BIND_PORT: String(ingressPort),
      RESTATE_ADMIN__BIND_PORT: String(adminPort),
    },
  })
  const ended = new Promise(resolve => child.once('exit', resolve))
  return {
    child,
    ended,
    async stop() {
      child.kill('SIGTERM')
      const hard = setTimeout(() => child.kill('SIGKILL'), 8000)
      await ended
      clearTimeout(hard)
    },
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** Resolves once the server answers on both ports; rejects after a minute. */
export async function untilReady({ ingressPort, adminPort }) {
  const until = Date.now() + 60_000
  const isUp = async url => {
    try {
      return (await fetch(url, { signal: AbortSignal.timeout(2000) })).ok
    } catch {
      return false
    }
  }
  while (Date.now() < until) {
    const [ingress, admin] = await Promise.all([
      isUp(`http://127.0.0.1:${ingressPort}/restate/health`),
      isUp(`http://127.0.0.1:${adminPort}/health`),
    ])
    if (ingress && admin) return
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  throw new Error('The Restate server did not start within a minute.')
}

/** Tells Restate the address of the workers. The same address may be told again. */
export async function registerWorkers(adminPort, uri) {
  const until = Date.now() + 60_000
  for (;;) {
    const response = await fetch(`http://127.0.0.1:${adminPort}/deployments`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ uri, force: true }),
    }).catch(error => ({ ok: false, text: async () => String(error) }))
    if (response.ok) return
    const reason = await response.text()
    if (Date.now() > until) throw new Error(`Restate does not take the workers: ${reason}`)
    await new Promise(resolve => setTimeout(resolve, 200))
  }
}
