import { appendFileSync } from 'node:fs'
import { createAgent, type Model, tool } from 'turnbuckle'
import { approval } from 'turnbuckle/middleware'
import { postgresStore, sqliteStore } from 'turnbuckle/stores'
import { createServer } from '../src/index.ts'

// A server as a process of its own, for tests that kill it. What it is to do comes as JSON.

export interface Job {
  readonly store: { readonly kind: 'sqlite' | 'postgres'; readonly url: string }
  /** Gets a line each time the tool runs. */
  readonly ran: string
  /** The model stops in the middle of what it says, or before it says anything. */
  readonly hangs?: boolean | 'at once'
  readonly port?: number
  /** The end of what the model says. `whole` by default. */
  readonly says?: string
  /** The folder of the web app. */
  readonly web?: string
  /** Dies when a commit with such a record comes: before it is made, or right after. */
  readonly dies?: { readonly at: string; readonly when: 'before' | 'after' }
}

const job = JSON.parse(process.argv[2] ?? '{}') as Job

const store = (job.store.kind === 'sqlite' ? sqliteStore : postgresStore)(job.store.url, { leaseMs: 300 })
const { driver } = store
const commit = driver.commit.bind(driver)
const die = () => process.kill(process.pid, 'SIGKILL')
driver.commit = given => {
  const mortal = job.dies !== undefined && given.records.some(({ type }) => type === job.dies?.at)
  if (mortal && job.dies?.when === 'before') die()
  const made = commit(given)
  if (!mortal) return made
  if (made instanceof Promise) return made.finally(die)
  die()
  return made
}

/** Adds when it is asked to; talks otherwise. */
const model: Model = {
  id: 'child',
  async *stream({ messages }) {
    if (job.hangs === 'at once') await new Promise(() => {})
    const last = messages.at(-1)
    if (last?.role === 'user' && JSON.stringify(last.content).includes('add')) {
      yield { type: 'call', id: `sum${messages.length}`, name: 'add', args: { a: 2, b: 3 } }
    } else {
      yield { type: 'text', text: 'half ' }
      if (job.hangs) await new Promise(() => {})
      yield { type: 'text', text: job.says ?? 'whole' }
    }
    yield { type: 'finish', reason: 'stop' }
  },
}
const sum = tool({
  name: 'add',
  run({ a, b }) {
    appendFileSync(job.ran, 'ran\n')
    return Number(a) + Number(b)
  },
})

const agent = createAgent({ model, store, tools: [sum], use: [approval()] })
const { port = 0, web } = job
const server = await createServer({ agent, store, token: 'secret', port, ...(web ? { web } : {}) })
process.stdout.write(`${server.url}\n`)
process.once('SIGTERM', async () => {
  await server.close()
  await agent.close()
  await store.close()
  process.exit(0)
})
