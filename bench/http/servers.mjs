import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chunks, stepsScript } from '../script.mjs'

const TOOL = 'calculate'
const MESSAGES_A_TURN = 4

/** One tool, two model calls, then done: the same in every turn of a conversation. */
const scriptAfter = count =>
  stepsScript(1, { tool: TOOL, start: 1 + MESSAGES_A_TURN * Math.floor((count - 1) / MESSAGES_A_TURN) })

/** What `turnbuckle serve` runs with no settings of the user's, with the scripted model and one tool more. */
async function shipped(folder, store) {
  const parts = join(process.env.TURNBUCKLE_BENCH_COPY, 'parts.mjs')
  const { compose, createServer, loadSettings, middleware, setModel, tool } = await import(pathToFileURL(parts).href)
  const [home, root] = ['home', 'project'].map(name => join(folder, name))
  for (const each of [home, root]) mkdirSync(each, { recursive: true })
  if (store) writeFileSync(join(home, 'config.json'), JSON.stringify({ store }))
  setModel({ id: 'scripted', stream: ({ messages }) => chunks(scriptAfter(messages.length), messages.length) })
  const settings = await loadSettings({ cwd: root, env: { TURNBUCKLE_HOME: home } })
  const composed = await compose(settings, { model: 'scripted', isServed: true })
  const { agent, permissions } = composed
  agent.use(middleware({ name: 'tools', provides: [tool({ name: TOOL, run: ({ n }) => n + 1 })] }))
  const { url, token, close } = await createServer({ agent, store: composed.store, permissions })
  return {
    url,
    token,
    async close() {
      await close()
      await composed.close()
    },
  }
}

/** The servers that are compared, by name. */
export const servers = {
  route: async () => (await import('../peers/ai-route.mjs')).startRoute(),
  mastra: async () => (await import('../serving/mastra.mjs')).startMastra(),
  langgraph: async folder => (await import('../serving/langgraph.mjs')).startLangGraph(folder),
  memory: folder => shipped(folder, 'memory:'),
  sqlite: folder => shipped(folder),
  /** On the database of that path. */
  filled: (folder, path) => shipped(folder, `sqlite:${path}`),
}
