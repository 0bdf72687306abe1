import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CreateAgentOptions } from 'turnbuckle'
import { sqliteStore } from 'turnbuckle/stores'
import { onTestFinished } from 'vitest'
import type { App } from './open-app.ts'

export interface Restartable {
  start(agent: CreateAgentOptions): Promise<void>
  stop(): Promise<void>
}

/** A server on a database, at one address, as often as it is started. */
export function restartable(app: App): Restartable {
  const folder = mkdtempSync(join(tmpdir(), 'turnbuckle-web-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  let stop: () => Promise<void> = async () => {}
  let port = 0
  return {
    async start(agent: CreateAgentOptions): Promise<void> {
      const store = sqliteStore(join(folder, 'conversations.db'), { leaseMs: 100 })
      const server = await app.serve({ ...agent, store }, { store, port })
      port = server.port
      stop = async () => {
        await server.close()
        await server.agent.close()
        await store.close()
      }
      onTestFinished(() => store.close())
    },
    stop: () => stop(),
  }
}
