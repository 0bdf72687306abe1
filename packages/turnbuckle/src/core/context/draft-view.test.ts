import { createAgent, type Draft, middleware } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { look, twoSteps } from '../../../test/support/looking.ts'

test.each<[keyof Draft, RegExp]>([
  ['userMessage', /assign ctx\.message in beforeInput/],
  ['reply', /return replace\(reply\) in afterModel/],
  ['calls', /return skip\(calls\) in beforeDetect/],
  ['results', /return replace\(result\) in afterTool/],
  ['errors', /return fail\(error\)/],
  ['text', /from onChunk/],
  ['usage', /the model has reported/],
  ['startedAt', /when the step began/],
])('assigning draft.%s is refused, with the call that would change it', async (field, fix) => {
  const writes = middleware({ name: 'writes', beforeDetect: ({ draft }) => void Reflect.set(draft, field, 'mine') })
  const { status, reason } = await createAgent({ model: twoSteps(), tools: [look], use: [writes] }).send('Go').settled
  expect(status).toBe('failed')
  expect(reason).toMatch(fix)
})

test('finishReason can be assigned: the hooks behind see it', async () => {
  const seen: unknown[] = []
  const says = middleware({
    name: 'says',
    afterModel(ctx) {
      ctx.draft.finishReason = 'cached'
    },
  })
  const looks = middleware({ name: 'looks', afterDecide: ctx => void seen.push(ctx.draft.finishReason) })
  await createAgent({ model: scriptedModel(['Hi']), use: [says, looks] }).send('Go')
  expect(seen).toEqual(['cached'])
})

const usage = { inputTokens: 5, outputTokens: 5 }

test('a member of the draft cannot be changed in place', async () => {
  const changes = middleware({
    name: 'changes',
    beforeDecide({ draft }) {
      for (const list of [draft.errors, draft.calls, draft.results, draft.reply?.content, draft.userMessage?.content])
        expect(() => Reflect.apply(Array.prototype.push, list, ['mine'])).toThrow(TypeError)
      for (const [value, member] of [
        [draft.reply, 'content'],
        [draft.reply?.content[0], 'text'],
        [draft.usage, 'inputTokens'],
      ] as const)
        expect(Reflect.set(value as object, member, 0)).toBe(false)
    },
  })
  const model = scriptedModel([
    { text: 'Hm.', calls: [{ name: 'look' }], usage },
    { text: 'Yes.', usage },
  ])
  const turn = createAgent({ model, tools: [look], use: [changes] }).send('Go')
  expect((await turn.settled).reason).toBe('done')
})
