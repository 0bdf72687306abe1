import { block, type Middleware, middleware, type Tool, tool } from 'turnbuckle'
import { z } from 'zod'
import type { Served } from './serve.ts'

/** A guard that asks a person about every call. */
export const asks: Middleware = middleware({
  name: 'asks',
  guard: true,
  async beforeTool(ctx) {
    const answer = await ctx.ask('permission', ctx.call, { fallback: 'deny' })
    return answer.decision === 'deny' ? block(answer.reason ?? 'denied') : undefined
  },
})

export const add: Tool = tool({
  name: 'add',
  input: z.object({ a: z.number(), b: z.number() }),
  run: ({ a, b }: { a: number; b: number }) => a + b,
})

/** The turn, once it has ended. */
export async function settled(server: Served, id: string, turnId: string): Promise<{ status: string }> {
  for (let i = 0; i < 500; i++) {
    const { body } = await server.call('GET', `/api/conversations/${id}`)
    const turn = body.turns.find((turn: { id: string }) => turn.id === turnId)
    if (turn.status !== 'running') return turn
    await new Promise(resolve => setImmediate(resolve))
  }
  throw new Error('The turn did not end.')
}

/** The first request of a conversation, once there is one. */
export async function waiting(server: Served, id: string): Promise<{ id: string; kind: string }> {
  for (let i = 0; i < 500; i++) {
    const { body } = await server.call('GET', `/api/conversations/${id}`)
    if (body.requests.length) return body.requests[0]
    await new Promise(resolve => setImmediate(resolve))
  }
  throw new Error('Nothing was asked.')
}
