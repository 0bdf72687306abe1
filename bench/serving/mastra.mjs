import { serve } from '@hono/node-server'
import { Agent } from '@mastra/core/agent'
import { Mastra } from '@mastra/core/mastra'
import { createTool } from '@mastra/core/tools'
import { MastraServer } from '@mastra/hono'
import { Hono } from 'hono'
import { z } from 'zod'

let calls = 0

/** Asks for the tool, then is done. Speaks the AI SDK's provider protocol, which Mastra takes in its third version. */
const model = {
  specificationVersion: 'v3',
  provider: 'scripted',
  modelId: 'scripted',
  supportedUrls: {},
  doStream: async ({ prompt }) => ({ stream: ReadableStream.from(reply(prompt.at(-1).role === 'tool')) }),
}

function* reply(isDone) {
  yield { type: 'stream-start', warnings: [] }
  if (isDone) {
    yield { type: 'text-start', id: 't' }
    yield { type: 'text-delta', id: 't', delta: 'done' }
    yield { type: 'text-end', id: 't' }
  } else yield { type: 'tool-call', toolCallId: `call-${calls++}`, toolName: 'calculate', input: '{"n":0}' }
  const finishReason = { unified: isDone ? 'stop' : 'tool-calls', raw: undefined }
  yield { type: 'finish', finishReason, usage: { inputTokens: { total: 0 }, outputTokens: { total: 0 } } }
}

/** Mastra's server, with one tool and without memory: as the AI SDK route it keeps nothing, and its client sends the messages. */
export async function startMastra() {
  const calculate = createTool({
    id: 'calculate',
    description: 'calculate',
    inputSchema: z.object({ n: z.number() }),
    execute: async ({ n }) => n + 1,
  })
  const agent = new Agent({ id: 'bench', name: 'bench', instructions: '', model, tools: { calculate } })
  const app = new Hono()
  await new MastraServer({ app, mastra: new Mastra({ agents: { bench: agent }, logger: false }) }).init()
  return new Promise(resolve => {
    const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => {
      resolve({ url: `http://127.0.0.1:${port}`, close: async () => server.close() })
    })
  })
}
