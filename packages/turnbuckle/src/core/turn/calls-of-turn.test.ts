import { createAgent, middleware, rewind, type TurnCall, tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'

const look = tool({ name: 'look', run: ({ n }) => `seen ${n}` })
const call = (n: number) => ({ name: 'look', id: `c${n}`, args: { n } })
const script = () => scriptedModel([{ calls: [call(1), call(2)] }, { calls: [call(3)] }, 'Done'])

test('a hook can ask for the calls of the turn so far, with their results', async () => {
  const seen: string[] = []
  const shown = ({ id, result }: TurnCall) => `${id}${result ? '=' : ''}${result ? String(result.value) : ''}`
  const watch = middleware({
    name: 'watch',
    afterModel: ctx => void seen.push(`model ${ctx.turn.calls.map(shown).join()}`),
    afterTool: ctx => void seen.push(`${ctx.call.id} ${ctx.turn.calls.map(shown).join()}`),
    afterTurn: ctx => void seen.push(`turn ${ctx.turn.calls.map(shown).join()}`),
  })
  const chat = createAgent({ model: script(), tools: [look], use: [watch] }).conversation()
  const turn = chat.send('Go')
  const { messages } = await turn
  expect(seen).toEqual([
    'model c1,c2',
    'c1 c1,c2',
    'c2 c1=seen 1,c2',
    'model c1=seen 1,c2=seen 2,c3',
    'c3 c1=seen 1,c2=seen 2,c3',
    'model c1=seen 1,c2=seen 2,c3=seen 3',
    'turn c1=seen 1,c2=seen 2,c3=seen 3',
  ])
  expect(turn.calls[2]).toEqual({
    id: 'c3',
    name: 'look',
    args: { n: 3 },
    messageId: messages[4]?.id,
    result: { status: 'ok', value: 'seen 3' },
  })
})

test('calls of another turn, and of a branch that was left, are not among them', async () => {
  const back = middleware({
    name: 'back',
    state: 0,
    afterTools(ctx) {
      ctx.update(times => times + 1)
      return ctx.state === 1 ? rewind(0) : undefined
    },
  })
  const model = scriptedModel([{ calls: [call(1)] }, { calls: [call(2)] }, 'Done', 'Hi'])
  const chat = createAgent({ model, tools: [look], use: [back] }).conversation()
  const turn = chat.send('Go')
  await turn
  expect(turn.calls.map(({ id }) => id)).toEqual(['c2'])
  const next = chat.send('Hello')
  await next
  expect(next.calls).toEqual([])
})
