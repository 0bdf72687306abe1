import {
  type Context,
  createAgent,
  type Middleware,
  middleware,
  rewind,
  type Snapshot,
  type TurnbuckleError,
  textOf,
} from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { look, texts, twoSteps } from '../../../test/support/looking.ts'

const looks = () => scriptedModel([{ calls: [{ name: 'look', id: 'c1' }] }, 'Done'])

describe('snapshot, restore, fork', () => {
  test('restore undoes edits and deletions, shared values and instructions', async () => {
    let taken: Snapshot | undefined
    const model = scriptedModel(['One', 'Two'], { repeat: true })
    const owner = middleware({
      name: 'owner',
      beforeModel(ctx) {
        if (ctx.step !== 0) return
        ctx.shared.set('a', 1)
        taken = ctx.snapshot()
        ctx.messages.append({ role: 'user', content: 'Extra' })
        ctx.shared.set('a', 2)
        ctx.instruct('Never said.')
        ctx.restore(taken)
        expect(ctx.shared.get('a')).toBe(1)
        expect([...ctx.messages]).toHaveLength(1)
      },
    })
    const chat = createAgent({ model, use: [owner] }).conversation()
    await chat.send('Go')
    expect(texts(chat.messages)).toEqual(['Go', 'One'])
    expect(model.prompts[0]?.instructions).toBe('')
  })

  test('a snapshot of a long history costs no more than one of a short', async () => {
    const long = Array.from(
      { length: 10_000 },
      (_, i) => ({ role: i % 2 ? 'assistant' : 'user', content: `${i}` }) as const,
    )
    let same = false
    const owner = middleware({
      name: 'owner',
      beforeTurn(ctx) {
        // Nothing is copied: two snapshots of the same moment share the history.
        const [a, b] = [ctx.snapshot(), ctx.snapshot()] as unknown as { tip: unknown }[]
        same = a?.tip === b?.tip
        for (let i = 0; i < 10_000; i++) ctx.snapshot()
      },
    })
    await createAgent({ model: scriptedModel(['Hi']), use: [owner] })
      .conversation({ messages: long })
      .send('Go')
    expect(same).toBe(true)
  })

  test('restore is refused while calls are open, and when the turn is over', async () => {
    const codes: unknown[] = []
    const attempt = (run: () => void) => {
      try {
        run()
      } catch (error) {
        codes.push((error as TurnbuckleError).code)
      }
    }
    let taken: Snapshot | undefined
    let kept: Context | undefined
    const owner = middleware({
      name: 'owner',
      beforeModel(ctx) {
        taken ??= ctx.snapshot()
        kept = ctx
      },
      beforeTool: ctx => attempt(() => ctx.restore(taken as Snapshot)),
    })
    await createAgent({ model: twoSteps(), tools: [look], use: [owner] }).send('Go')
    attempt(() => kept?.restore(taken as Snapshot))
    attempt(() => kept?.messages.append({ role: 'user', content: 'Late' }))
    expect(codes).toEqual(['history.orphan', 'turn.ended', 'turn.ended'])
  })

  test.each<{ what: string; use: (given: Snapshot) => Middleware }>([
    { what: 'restore', use: given => middleware({ name: 'back', beforeStep: ctx => ctx.restore(given) }) },
    { what: 'rewind', use: given => middleware({ name: 'back', afterDecide: () => rewind(given) }) },
  ])('what is no snapshot of this conversation is refused by $what', async ({ use }) => {
    const foreign: Snapshot[] = []
    const takes = middleware({ name: 'takes', afterModel: ctx => void foreign.push(ctx.snapshot()) })
    await createAgent({ model: scriptedModel(['One']), use: [takes] }).send('Elsewhere')
    for (const given of [...foreign, {}, null]) {
      const agent = createAgent({ model: scriptedModel(['One', 'Two']), use: [use(given as Snapshot)] })
      const { status, error } = await agent.send('Go').settled
      expect(status).toBe('failed')
      expect(String((error as Error).cause ?? error)).toMatch(/no snapshot of this conversation/)
    }
  })

  test('a fork inside a hook is a conversation of its own, isolated from its sibling', async () => {
    const answers: string[] = []
    const compare = middleware({
      name: 'compare',
      async beforeTurn(ctx) {
        if (textOf(ctx.message) !== 'Compare') return
        const fork = ctx.fork()
        answers.push((await fork.send('One way')).text)
      },
    })
    const chat = createAgent({ model: scriptedModel(['A', 'B', 'C']), use: [compare] }).conversation()
    await chat.send('First')
    await chat.send('Compare')
    expect(answers).toEqual(['B'])
    expect(texts(chat.messages)).toEqual(['First', 'A', 'Compare', 'C'])
  })
})

test('what only looks like a snapshot is refused', async () => {
  const use = [middleware({ name: 'odd', beforeModel: ctx => ctx.restore({ kind: 'snapshot' }) })]
  const { error } = await createAgent({ model: looks(), use }).send('Go').settled
  expect(error).toMatchObject({ cause: { code: 'snapshot.foreign' } })
})
