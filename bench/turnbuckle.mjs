import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { chunks, messagesIn } from './script.mjs'

export const name = 'turnbuckle'

// A run measures one build: its own copy, which nobody rebuilds meanwhile.
const copy = process.env.TURNBUCKLE_BENCH_COPY
const door = name => (copy ? pathToFileURL(createRequire(join(copy, 'door.js')).resolve(name)).href : name)

// Found beforehand: an application imports it by its name.
const library = door('turnbuckle')
export const load = () => import(library)

export const stores = () => import(door('turnbuckle/stores'))

/** Creates agents as the terminal and the server do. */
export async function ships() {
  const { createShipped } = await import('./ships/create-shipped.mjs')
  const parts = await import(pathToFileURL(copy ? join(copy, 'parts.mjs') : await bundled()).href)
  return (job, settings) => createShipped(parts, job, settings)
}

/** For a child that is started by hand; a bundler has no place in a process that measures an import. */
async function bundled() {
  const { bundleParts } = await import('./ships/bundle.mjs')
  return bundleParts(fileURLToPath(new URL('../node_modules/.cache', import.meta.url)))
}

/** The ten commonest middleware, ready to use. */
export async function ten() {
  const ready = await import(door('turnbuckle/middleware'))
  return [
    ready.approval({ allow: ['work'] }),
    ready.retry(),
    ready.toolRetry(),
    ready.timeout({ model: 60_000, tool: 60_000 }),
    ready.stepLimit(1000),
    ready.tokenLimit(1_000_000_000),
    ready.toolLimit(1000),
    ready.instructions('Be kind.'),
    ready.logging({ logger: () => {} }),
    ready.errorTracking(3),
  ]
}

/** The middleware that the programs put around every agent, with a trace of the newest turns. `allowed`: a tool that is not asked about. */
export async function programSet(allowed) {
  const ready = await import(door('turnbuckle/middleware'))
  return [
    ready.trace(ready.createTimeline({ turns: 20 })),
    ready.agentsFile({ read: async () => undefined }),
    ready.approval({ allow: [allowed] }),
    ready.retry({ times: 3, baseMs: 1000 }),
    ready.trim({ maxTokens: Infinity }),
    ready.timeout({ idle: 60_000, first: 600_000 }),
  ]
}

export function create(
  { createAgent, middleware, tool },
  { script, tools, hooks = [], use = [], history, interruptible, defaults, store },
) {
  const agent = createAgent({
    model: { id: 'scripted', stream: prompt => chunks(script, script.blind ? 0 : messagesIn(script, prompt.messages)) },
    tools: tools.map(each => tool(each)),
    use: [...use, ...hooks.map((beforeTool, i) => middleware({ name: `hook-${i}`, beforeTool }))],
    ...(store && { store }),
    ...(defaults ? {} : { maxSteps: Infinity, breaker: false }),
  })
  const messages = history ? past(history) : undefined

  return {
    open: id => agent.open(id),
    send({ onText } = {}) {
      const turn = messages ? agent.conversation({ messages }).send('go') : agent.send('go')
      const reading = onText && read(turn, onText)
      return { done: interruptible ? turn : (reading ?? turn), interrupt: () => turn.interrupt() }
    },
  }
}

async function read(turn, onText) {
  for await (const text of turn.text) onText(text)
  return turn
}

const past = count =>
  Array.from({ length: count }, (_, i) => ({
    id: `past-${i}`,
    role: i % 2 ? 'assistant' : 'user',
    content: [{ type: 'text', text: `message ${i}` }],
  }))
