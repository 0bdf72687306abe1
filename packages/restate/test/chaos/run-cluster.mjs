// The cluster of the chaos run: everything on the loopback address, everything between two parts through a balancer that can be cut.
import { chmodSync, mkdirSync, openSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { freePorts, startBalancer } from '../../../../scripts/cluster/balancer.mjs'
import { startPostgres } from '../../../../scripts/cluster/postgres.mjs'
import { registerWorkers, startRestate, untilReady } from '../../../../scripts/cluster/restate.mjs'
import { root } from '../../../../scripts/ensure-installed.mjs'
import { bundlePrograms } from './bundle.mjs'
import { Member } from './member.mjs'
import { Parts } from './parts.mjs'

export const token = 'chaos'

/** Starts it. `parts.end()` ends every process of it, also while it is started. `folder` gets the data, the witnesses and the logs. */
export async function startCluster({
  parts = new Parts(),
  folder,
  workers = 3,
  servers = 2,
  leaseMs = 4000,
  engine = true,
}) {
  const witnesses = join(folder, 'witnesses')
  mkdirSync(witnesses, { recursive: true })
  // PostgreSQL has a user of its own, who has to come through.
  chmodSync(folder, 0o755)
  const ports = await freePorts(4 + workers + servers)
  const [postgresPort, ingressPort, adminPort, nodePort] = ports
  const workerPorts = ports.slice(4, 4 + workers)
  const serverPorts = ports.slice(4 + workers)
  const place = { folder, ingressPort, adminPort, nodePort }
  const postgres = await parts.start(
    () => startPostgres({ folder: join(folder, 'postgres'), port: postgresPort }),
    server => server.stop(),
  )
  const restate = await parts.start(
    () => ({ now: startRestate(place) }),
    started => started.now.kill(),
  )
  const between = await parts.start(
    () => joinParts({ postgresPort, ingressPort, workerPorts, serverPorts }),
    balancers => Promise.all(Object.values(balancers).map(balancer => balancer.close())),
  )
  const url = postgres.url.replace(`:${postgresPort}/`, `:${between.database.port}/`)
  const common = { url, folder: witnesses, leaseMs }
  const members = await startMembers({ parts, folder, common, between, workerPorts, serverPorts, engine })
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
    restatePid: () => restate.now.child.pid,
    async killRestate() {
      await restate.now.kill()
      restate.now = startRestate(place)
      await untilReady(place)
    },
    stop: () => parts.end(),
  }
}

/** Starts the workers and the servers. */
async function startMembers({ parts, folder, common, between, workerPorts, serverPorts, engine }) {
  const bundles = join(root, `node_modules/.cache/turnbuckle-chaos-${process.pid}`)
  const programs = await parts.start(
    () => bundlePrograms(['worker', 'server'], bundles),
    () => rmSync(bundles, { recursive: true, force: true }),
  )
  const log = openSync(join(folder, 'processes.log'), 'a')
  const ingress = `http://127.0.0.1:${between.ingress.port}`
  const ofServers = { token, hosts: [`127.0.0.1:${between.servers.port}`], ...(engine ? { ingress } : {}) }
  const begin = (name, settings) =>
    parts.start(
      () => new Member(programs[name], { ...common, ...settings }, log),
      member => member.end(),
    )
  return {
    workers: await Promise.all(workerPorts.map(port => begin('worker', { port, ingress }))),
    servers: await Promise.all(serverPorts.map(port => begin('server', { port, ...ofServers }))),
  }
}

/** The balancers between the parts. */
const joinParts = async ({ postgresPort, ingressPort, workerPorts, serverPorts }) => ({
  /** Servers and workers → PostgreSQL. */
  database: await startBalancer([postgresPort]),
  /** Servers, and workers for their sub-agents → Restate. */
  ingress: await startBalancer([ingressPort]),
  /** Restate → workers. */
  workers: await startBalancer(workerPorts),
  /** Clients → servers. */
  servers: await startBalancer(serverPorts),
})
