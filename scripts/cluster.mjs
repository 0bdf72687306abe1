// npm run cluster: PostgreSQL, Restate, three workers and two servers behind one address, on this machine and from npm alone.
// Prints the address, then a live line. Ctrl-C ends all. Data stays in .turnbuckle/cluster.
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBuilt } from './ensure-built.mjs'
import { ensureInstalled, root } from './ensure-installed.mjs'

ensureInstalled()
ensureBuilt()
const { startBalancer, freePorts } = await import('./cluster/balancer.mjs')
const { liveLine } = await import('./cluster/live-line.mjs')
const { Member } = await import('./cluster/member.mjs')
const { startPostgres } = await import('./cluster/postgres.mjs')
const { ensureRestate, registerWorkers, startRestate, untilReady } = await import('./cluster/restate.mjs')

const folder = join(process.env['INIT_CWD'] ?? process.cwd(), '.turnbuckle/cluster')
const token = process.env['TURNBUCKLE_TOKEN'] ?? randomBytes(16).toString('hex')
const parts = []
let ending

async function endParts() {
  for (const end of parts.reverse()) await end().catch(error => console.error(error))
}
/** Whoever is impatient and asks twice waits for the same end: nothing may be left behind. */
function endAll() {
  ending ??= endParts()
  return ending
}
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => void endAll().then(() => process.exit(0)))

/** The ports of the first start: Restate calls a parked turn at the address of the workers that it began at. */
async function keptPorts() {
  const file = join(folder, 'ports.json')
  if (!existsSync(file)) writeFileSync(file, JSON.stringify(await freePorts(11)))
  return JSON.parse(readFileSync(file, 'utf8'))
}

async function begin() {
  ensureRestate()
  mkdirSync(folder, { recursive: true })
  const [postgresPort, ingressPort, adminPort, nodePort, workerPort, serverPort, ...ports] = await keptPorts()
  const postgres = await startPostgres({ folder: join(folder, 'postgres'), port: postgresPort })
  parts.push(() => postgres.stop())
  const place = { folder, ingressPort, adminPort, nodePort }
  const restate = startRestate(place)
  parts.push(() => restate.stop())
  const workers = ports.slice(0, 3)
  const servers = ports.slice(3)
  const workerAddress = await startBalancer(workers, workerPort)
  const address = await startBalancer(servers, Number(process.env['PORT'] ?? serverPort))
  parts.push(
    () => workerAddress.close(),
    () => address.close(),
  )
  const ingress = `http://127.0.0.1:${ingressPort}`
  const shared = { DATABASE_URL: postgres.url, TURNBUCKLE_TOKEN: token, RESTATE_INGRESS: ingress }
  const ofServers = {
    TURNBUCKLE_HOSTS: `127.0.0.1:${address.port},localhost:${address.port}`,
  }
  const members = [
    ...workers.map(
      (port, i) =>
        new Member(`worker ${i + 1}`, join(root, 'deploy/worker.mjs'), { ...shared, PORT: String(port) }, folder),
    ),
    ...servers.map(
      (port, i) =>
        new Member(
          `server ${i + 1}`,
          join(root, 'deploy/server.mjs'),
          { ...shared, ...ofServers, PORT: String(port) },
          folder,
        ),
    ),
  ]
  parts.push(() => Promise.all(members.map(member => member.end())))
  await untilReady(place)
  await Promise.all(members.map(member => member.ready))
  await registerWorkers(adminPort, `http://127.0.0.1:${workerAddress.port}`)
  console.log(`Turnbuckle is ready at http://127.0.0.1:${address.port}/#token=${token}`)
  console.log(
    `Restate's own page: http://127.0.0.1:${adminPort}. Processes, to kill one: ${members.map(({ name, pid }) => `${name} ${pid}`).join(', ')}.`,
  )
  const stop = liveLine({ databaseUrl: postgres.url, members, restate })
  parts.push(async () => stop())
}

try {
  await begin()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  await endAll()
  process.exit(1)
}
