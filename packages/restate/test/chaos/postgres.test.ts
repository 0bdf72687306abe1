import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

interface Postgres {
  readonly pid: number | undefined
  restart(): Promise<void>
  stop(): Promise<void>
}
const here = (path: string) => import(new URL(path, import.meta.url).href)
const { startPostgres } = (await here('../../../../scripts/cluster/postgres.mjs')) as {
  startPostgres(place: { folder: string; port: number }): Promise<Postgres>
}
const { freePorts } = (await here('../../../../scripts/cluster/balancer.mjs')) as {
  freePorts(count: number): Promise<readonly number[]>
}

test.runIf(process.platform === 'linux')(
  'a PostgreSQL that is stopped while it starts again, and once more, leaves no process',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'turnbuckle-postgres-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const [port = 0] = await freePorts(1)
    const postgres = await startPostgres({ folder, port })
    const { pid } = postgres
    const restarted = postgres.restart()
    await postgres.stop()
    await restarted
    expect([typeof pid, postgres.pid]).toEqual(['number', undefined])
    await postgres.stop()
    await postgres.restart()
    expect(postgres.pid).toBeUndefined()
  },
  120_000,
)
