import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { restateRunner, restateWorker } from '@turnbuckle/restate'
import { createServer } from '@turnbuckle/server'
import { type CreateAgentOptions, createAgent, type Event } from 'turnbuckle'
import { createStore, memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { onTestFinished } from 'vitest'

interface Place {
  readonly folder: string
  readonly ingressPort: number
  readonly adminPort: number
  readonly nodePort: number
}
interface RestateScript {
  startRestate(place: Place): { kill(): Promise<void> }
  untilReady(place: Place): Promise<void>
  registerWorkers(adminPort: number, uri: string): Promise<void>
}
const script = async <Module>(name: string): Promise<Module> =>
  (await import(new URL(`../../../scripts/cluster/${name}.mjs`, import.meta.url).href)) as Module

/** A worker on one store and a server on another of the same data, with a Restate server of their own between them. */
export async function onRestate(options: Omit<CreateAgentOptions, 'store'>): Promise<OnRestate> {
  const { freePorts } = await script<{ freePorts(count: number): Promise<number[]> }>('balancer')
  const { startRestate, untilReady, registerWorkers } = await script<RestateScript>('restate')
  const folder = mkdtempSync(join(tmpdir(), 'turnbuckle-restate-'))
  const [ingressPort = 0, adminPort = 0, nodePort = 0] = await freePorts(3)
  const place = { folder, ingressPort, adminPort, nodePort }
  const restate = startRestate(place)
  const { driver } = memoryStore()
  const [workers, servers] = [createStore(driver), createStore(driver)]
  const agent = createAgent({ ...options, store: workers })
  const worker = restateWorker({ agent, store: workers, parkAfterMs: 0 })
  const port = await worker.listen()
  await untilReady(place)
  await registerWorkers(adminPort, `http://127.0.0.1:${port}`)
  const runner = restateRunner({ ingress: `http://127.0.0.1:${ingressPort}` })
  const ofServer = createAgent({ ...options, model: scriptedModel([]), store: servers })
  // Servers look for lost turns too: here nobody but Restate sees to them.
  const server = await createServer({ agent: ofServer, store: servers, runner, token: 'secret', takeOverMs: 3_600_000 })
  onTestFinished(async () => {
    await server.close()
    await worker.close()
    await restate.kill()
    rmSync(folder, { recursive: true, force: true })
  })
  const call = async (method: string, path: string, body: object = {}): Promise<Record<string, string>> => {
    const headers = { authorization: 'Bearer secret', 'content-type': 'application/json' }
    const response = await fetch(`${server.url}${path}`, { method, headers, body: JSON.stringify(body) })
    return (await response.json()) as Record<string, string>
  }
  return { worker, call, events: async id => servers.events(id) }
}

interface OnRestate {
  readonly worker: { readonly running: number }
  call(method: string, path: string, body?: object): Promise<Record<string, string>>
  /** What the log of a conversation has. */
  events(id: string): Promise<readonly Event[]>
}
