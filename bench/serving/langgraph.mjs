import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'

/** LangGraph's development server, which keeps threads in memory and writes them to files of `folder` now and then. */
export async function startLangGraph(folder) {
  // Read when it is loaded: a line on the terminal for each request would be measured.
  process.env.LOG_LEVEL = 'error'
  const { startServer } = await import('@langchain/langgraph-api/server')
  const port = await freePort()
  const { cleanup } = await startServer({
    port,
    host: '127.0.0.1',
    cwd: folder,
    nWorkers: 50,
    graphs: { bench: `${fileURLToPath(new URL('langgraph-agent.mjs', import.meta.url))}:agent` },
  })
  return { url: `http://127.0.0.1:${port}`, close: () => cleanup() }
}

/** The server wants to be told its port. */
const freePort = () =>
  new Promise(resolve => {
    const taken = createServer().listen(0, '127.0.0.1', () => {
      const { port } = taken.address()
      taken.close(() => resolve(port))
    })
  })
