import { createAgent, type Event, middleware, tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'

// The failure was told twice, the second time as a misplaced directive that nobody had returned.
test.each([
  { kind: 'a guard', settings: { guard: true, onFailure: 'closed' as const }, value: 'Guard "check" failed: broken' },
  {
    kind: 'one that fails closed',
    settings: { guard: false, onFailure: 'closed' as const },
    value: '"check" failed: broken',
  },
])('a failing afterTool of $kind withholds the result and says why, once', async ({ settings, value }) => {
  const check = middleware({
    name: 'check',
    ...settings,
    afterTool() {
      throw new Error('broken')
    },
  })
  const model = scriptedModel([{ calls: [{ name: 'read' }] }, 'done'])
  const turn = createAgent({ model, tools: [tool({ name: 'read', run: () => 'secret' })], use: [check] }).send('?')
  const { messages } = await turn
  expect(messages[2]?.content[0]).toMatchObject({ status: 'blocked', value })
  const failures: Event[] = []
  for await (const event of turn) if (event.type === 'hook.failed') failures.push(event)
  expect(failures).toMatchObject([{ name: 'check', point: 'afterTool', error: 'broken' }])
})
