import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { stepsScript } from '../script.mjs'
import { load, scripted } from './ai.mjs'

/** A route as a user of the AI SDK would write it, with one tool. It keeps nothing: the client sends the messages. */
export async function startRoute() {
  const { createUIMessageStreamResponse, isLoopFinished, jsonSchema, streamText, tool, toUIMessageStream } =
    await load()
  const calculate = tool({
    inputSchema: jsonSchema({ type: 'object', properties: { n: { type: 'number' } } }),
    execute: ({ n }) => n + 1,
  })
  const app = new Hono()
  app.post('/chat', async c => {
    const { messages } = await c.req.json()
    const model = scripted(stepsScript(1, { tool: 'calculate', start: messages.length }))
    const { stream } = streamText({ model, messages, tools: { calculate }, stopWhen: isLoopFinished() })
    return createUIMessageStreamResponse({ stream: toUIMessageStream({ stream }) })
  })
  return new Promise(resolve => {
    const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => {
      resolve({ url: `http://127.0.0.1:${port}`, close: async () => server.close() })
    })
  })
}
