import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chunks } from '../script.mjs'

/**
 * The agent that `turnbuckle chat` and `turnbuckle serve` run with no settings of the user's but the store: the trace, the
 * approval, the nets and the workspace's tools. `isServed` adds what the server puts around it, the inspector.
 * The job's tool comes with a middleware of its own, as those of an MCP server do.
 */
export async function createShipped(parts, { script, tools }, { store, isServed }) {
  const folder = mkdtempSync(join(tmpdir(), 'turnbuckle-bench-ships-'))
  const [home, root] = ['home', 'project'].map(name => join(folder, name))
  for (const each of [home, root]) mkdirSync(each)
  if (store) writeFileSync(join(home, 'config.json'), JSON.stringify({ store }))
  const { compose, createServer, loadSettings, middleware, setModel, tool } = parts
  setModel({ id: 'scripted', stream: prompt => chunks(script, prompt.messages.length) })
  const composed = await compose(await loadSettings({ cwd: root, env: { TURNBUCKLE_HOME: home } }), {
    model: 'scripted',
    isServed,
  })
  const { agent, permissions } = composed
  agent.use(middleware({ name: 'tools', provides: tools.map(each => tool(each)) }))
  const server = isServed ? await createServer({ agent, store: composed.store, permissions }) : undefined
  return {
    send: () => ({ done: agent.send('go') }),
    async close() {
      await server?.close()
      await composed.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
