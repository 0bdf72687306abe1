// One line that tells how the cluster is: turns that run, wait for people and are done, and which processes are alive.
import pg from 'pg'

const counts = `SELECT
  (SELECT count(*) FROM turns WHERE status = 'open') AS open,
  (SELECT count(*) FROM turns WHERE status <> 'open') AS done,
  (SELECT count(DISTINCT (conversation, turn)) FROM requests WHERE closed = 0) AS asked`

/** Writes the line once a second, over itself on a terminal and when it changes elsewhere. Returns a function that stops it. */
export function liveLine({ databaseUrl, members, restate }) {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 })
  pool.on('error', () => {})
  let before = ''
  const timer = setInterval(async () => {
    const turns = await pool
      .query(counts)
      .then(({ rows: [{ open, done, asked }] }) => `${open - asked} running, ${asked} parked, ${done} done`)
      .catch(() => 'PostgreSQL does not answer')
    const dead = members.filter(({ isAlive }) => !isAlive).map(({ name }) => name)
    if (restate.child.exitCode !== null || restate.child.signalCode !== null) dead.push('Restate')
    const line = `${turns} · ${dead.length ? `down: ${dead.join(', ')}` : 'all alive'}`
    if (process.stdout.isTTY) process.stdout.write(`\r\u001b[K${line}`)
    else if (line !== before) console.log(line)
    before = line
  }, 1000)
  return () => {
    clearInterval(timer)
    if (process.stdout.isTTY) process.stdout.write('\n')
    return pool.end()
  }
}
