// The cluster of the chaos run: everything on the loopback address, everything between two parts through a balancer that can be cut.
import { chmodSync, mkdirSync, openSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { freePorts, startBalancer } from '../../../../scripts/cluster/balancer.mjs'
import { startPostgres } from '../../../../scripts/cluster/postgres.mjs'
import { registerWorkers, startRestate, untilReady } from '../../../../scripts/cluster/restate.mjs'
import { root } from '../../../../scripts/ensure-installed.mjs'
import { bundlePrograms } from './bundle.mjs'
import { Member } from './member.mjs'

export const token = 'chaos'

/** Starts it; `stop` ends every process of it. `folder` gets the data, the witnesses and the logs. */
export async function startCluster({ folder, workers = 3, servers = 2, leaseMs = 4000, engine = true }) {
  const witnesses = join(folder, 'witnesses')
  mkdirSync(witnesses, { recursive: true })
  // PostgreSQL has a user of its own, who has to come through.
  chmodSync(folder, 0o755)
  const bundles = join(root, `node_modules/.cache/turnbuckle-chaos-${process.pid}`)
  const programs = await bundlePrograms(['worker', 'server'], bundles)
  const ports = await freePorts(4 + workers + servers)
  const [postgresPort, ingressPort, adminPort, nodePort] = ports
  const workerPorts = ports.slice(4, 4 + workers)
  const serverPorts = ports.slice(4 + workers)
  const place = { folder, ingressPort, adminPort, nodePort }
  const postgres = await startPostgres({ folder: join(folder, 'postgres'), port: postgresPort })
  let restate = startRestate(place)
  const between = await joinParts({ postgresPort, ingressPort, workerPorts, serverPorts })
  const url = postgres.url.replace(`:${postgresPort}/`, `:${between.database.port}/`)
  const common = { url, folder: witnesses, leaseMs }
  const log = openSync(join(folder, 'processes.log'), 'a')
  const begin = (name, settings) => new Member(programs[name], { ...common, ...settings }, log)
  const members = {
    workers: workerPorts.map(port => begin('worker', { port })),
    servers: serverPorts.map(port =>
      begin('server', {
        ...{ port, token, ...(engine ? { ingress: `http://127.0.0.1:${between.ingress.port}` } : {}) },
        hosts: [`127.0.0.1:${between.servers.port}`],
      }),
    ),
  }
  await untilReady(place)
  await Promise.all([...members.workers, ...members.servers].map(member => member.ready))
  await registerWorkers(adminPort, `http://127.0.0.1:${between.workers.port}`)
  return {
    url: `http://127.0.0.1:${between.servers.port}`,
    databaseUrl: postgres.url,
    adminPort,
    witnesses,
    between,
    ...members,
    postgres,
    restatePid: () => restate.child.pid,
    async killRestate() {
      await restate.kill()
      restate = startRestate(place)
      await untilReady(place)
    },
    async stop() {
      for (const member of [...members.workers, ...members.servers]) await member.end()
      for (const balancer of Object.values(between)) await balancer.close()
      await restate.kill()
      await postgres.stop()
      rmSync(bundles, { recursive: true, force: true })
    },
  }
}

/** The balancers between the parts. */
const joinParts = async ({ postgresPort, ingressPort, workerPorts, serverPorts }) => ({
  /** Servers and workers → PostgreSQL. */
  database: await startBalancer([postgresPort]),
  /** Servers → Restate. */
  ingress: await startBalancer([ingressPort]),
  /** Restate → workers. */
  workers: await startBalancer(workerPorts),
  /** Clients → servers. */
  servers: await startBalancer(serverPorts),
})
