import { createAgent, fail, middleware, stop, tool } from 'turnbuckle'
import { memoryStore, sqliteStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'

/** What a hook says in passing may be no plain data: that must break neither the turn nor the log. */

const ring: { self?: unknown; big: bigint } = { big: 1n }
ring.self = ring

type Hooks = Parameters<typeof middleware>[0]
interface Any {
  emit(event: object): void
  update(change: () => unknown): void
  instruct(params: object): void
  ask(kind: string, payload: unknown, options: object): Promise<unknown>
  readonly shared: { set(key: string, value: unknown): void }
  call: { args: unknown }
}

const odd: readonly { readonly what: string; readonly hooks: object; readonly status?: string }[] = [
  { what: 'emits', hooks: { beforeTurn: (ctx: Any) => ctx.emit({ type: 'odd.told', ring }) } },
  {
    what: 'keeps in its state',
    hooks: { state: {}, beforeTool: (ctx: Any) => ctx.update(() => ({ ...ring })) },
    status: 'failed',
  },
  { what: 'shares', hooks: { beforeTool: (ctx: Any) => ctx.shared.set('odd', { ...ring, act() {} }) } },
  { what: 'instructs', hooks: { beforeTool: (ctx: Any) => ctx.instruct({ seed: 1n }) } },
  {
    what: 'asks',
    hooks: { beforeTurn: async (ctx: Any) => void (await ctx.ask('odd', ring, { timeout: 1, fallback: { n: 1n } })) },
  },
  {
    what: 'calls with',
    hooks: {
      beforeTool: (ctx: Any) => {
        ctx.call = { ...ctx.call, args: ring }
      },
    },
  },
  { what: 'stops with', hooks: { afterTool: () => stop(ring as never) }, status: 'stopped' },
  { what: 'fails with', hooks: { afterTool: () => fail(ring) }, status: 'failed' },
]

describe.each([
  { name: 'memory', open: () => memoryStore() },
  { name: 'SQLite', open: () => sqliteStore(':memory:') },
])('on $name', ({ open }) => {
  test.each(odd)('what a hook $what may be no plain data', async ({ hooks, status = 'completed' }) => {
    const store = open()
    const look = tool({ name: 'look', run: () => 'seen' })
    const model = scriptedModel([{ calls: [{ name: 'look' }] }, 'Done.', 'On.'])
    const agent = createAgent({ model, tools: [look], store, use: [middleware({ name: 'odd', ...hooks } as Hooks)] })
    const chat = agent.conversation('c')
    const ended = await chat.send('Go.').settled
    expect({ status: ended.status, by: ended.by === 'store' }).toEqual({ status, by: false })
    agent.disable('odd')
    expect((await chat.send('And?').settled).status).toBe('completed')
    const again = createAgent({ model: scriptedModel([]), store }).conversation('c')
    expect(again.messages.map(({ id }) => id)).toEqual(chat.messages.map(({ id }) => id))
  })
})
