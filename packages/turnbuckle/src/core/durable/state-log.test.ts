import { type Context, createAgent, middleware, rewind, type Snapshot } from 'turnbuckle'
import { createStore, memoryStore, sqliteStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'

type Scores = Context<{ score: number }>

/** Changes the state twice at one message, and gives how it was between. */
function between(ctx: Scores): Snapshot {
  ctx.update(() => ({ score: 1 }))
  const then = ctx.snapshot()
  ctx.update(() => ({ score: 2 }))
  return then
}
const restores = (ctx: Scores): void => ctx.restore(between(ctx))
const unset = (ctx: Scores): void => {
  const then = ctx.snapshot()
  between(ctx)
  ctx.restore(then)
}

const cases: readonly { readonly what: string; readonly hooks: object; readonly score: number }[] = [
  { what: 'restored before the turn has a message', hooks: { beforeTurn: restores }, score: 1 },
  { what: 'restored before the model is asked', hooks: { beforeModel: restores }, score: 1 },
  { what: 'restored when the turn is done', hooks: { afterTurn: restores }, score: 1 },
  { what: 'restored to what it is before anybody sets it', hooks: { beforeModel: unset }, score: 0 },
  {
    what: 'gone back to by a rewind',
    hooks: {
      beforeStep: (ctx: Scores) => (ctx.step ? undefined : ctx.shared.set('then', between(ctx))),
      afterDecide: (ctx: Scores) => (ctx.step ? undefined : rewind(ctx.shared.get<Snapshot>('then') as Snapshot)),
    },
    score: 1,
  },
]

describe.each([
  { name: 'memory', make: () => memoryStore().driver },
  { name: 'SQLite', make: () => sqliteStore(':memory:').driver },
])('$name', ({ make }) => {
  test.each(cases)('a state that was $what is so in this process and in the next', async ({ hooks, score }) => {
    const driver = make()
    const found: number[] = []
    const own = { name: 'scores', scope: 'branch', state: { score: 0 } } as const
    const reads = middleware({ ...own, beforeTurn: ({ state }) => void found.push(state.score) })
    const process = () => createAgent({ model: scriptedModel(['Well.'], { repeat: true }), store: createStore(driver) })
    const agent = process()
    const remove = agent.use(middleware({ ...own, ...hooks }))
    const chat = agent.conversation('c')
    await chat.send('One.')
    remove()
    for (const { use, conversation } of [agent, process()]) {
      use(reads)
      await conversation('c').fork(chat.head).send('Two.')
    }
    expect(found).toEqual([score, score])
  })
})
