import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chunks, stepsScript } from '../script.mjs'

const tools = [{ name: 'calculate', run: ({ n }) => n + 1 }]

async function shipped(folder, store) {
  const { bundleParts } = await import('../ships/bundle.mjs')
  const { compose, createServer, loadSettings, middleware, setModel, tool } = await import(
    pathToFileURL(bundleParts(new URL('../../node_modules/.cache', import.meta.url).pathname)).href
  )
  const [home, root] = ['home', 'project'].map(name => join(folder, name))
  for (const each of [home, root]) mkdirSync(each, { recursive: true })
  if (store) writeFileSync(join(home, 'config.json'), JSON.stringify({ store }))
  setModel({ id: 'scripted', stream: ({ messages }) => chunks(scriptFor(messages.length), messages.length) })
  const composed = await compose(await loadSettings({ cwd: root, env: { TURNBUCKLE_HOME: home } }), {
    model: 'scripted',
    isServed: true,
  })
  composed.agent.use(middleware({ name: 'tools', provides: tools.map(each => tool(each)) }))
  const server = await createServer({ agent: composed.agent, store: composed.store, permissions: composed.permissions })
  return {
    url: server.url,
    token: server.token,
    async close() {
      await server.close()
      await composed.close()
    },
  }
}
/** Each turn adds four messages. */
const scriptFor = count => stepsScript(1, { tool: 'calculate', start: 1 + 4 * Math.floor((count - 1) / 4) })

export const servers = {
  memory: folder => shipped(folder, 'memory:'),
  sqlite: folder => shipped(folder),
}
