import { agentTool, type Context, createAgent, goto, middleware, tool } from 'turnbuckle'
import { stepLimit } from 'turnbuckle/middleware'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'

const look = tool({ name: 'look', run: () => 'seen' })
const looking = () =>
  scriptedModel(
    Array.from({ length: 9 }, (_, n) => ({ calls: [{ name: 'look', args: { n } }] })),
    { repeat: true },
  )
/** Notes at the hooks around each step where it is: first, last, both (`only`), or neither. */
function placing() {
  const seen: string[] = []
  const note = (ctx: Context) =>
    void seen.push(
      `${ctx.point} ${ctx.isFirstStep ? (ctx.isLastStep ? 'only' : 'first') : ctx.isLastStep ? 'last' : 'between'}`,
    )
  return { seen, watch: middleware({ name: 'watch', beforeStep: note, beforeTool: note, afterStep: note }) }
}
const step = (place: string) => [`beforeStep ${place}`, `beforeTool ${place}`, `afterStep ${place}`]
/** A limit that is a hook refuses the step behind the last one where it opens. */
const refused = ['beforeStep last', 'afterStep last']

test.each([
  { limit: 'maxSteps', options: { maxSteps: 3 }, use: [], behind: [] },
  { limit: 'a stepLimit', options: {}, use: [stepLimit(3)], behind: refused },
])('$limit: the first and the last allowed step know it, at every hook', async ({ options, use, behind }) => {
  const { seen, watch } = placing()
  const { status } = await createAgent({ model: looking(), tools: [look], use: [watch, ...use], ...options }).send('Go')
  expect(status).toBe('stopped')
  expect(seen).toEqual([...step('first'), ...step('between'), ...step('last'), ...behind])
})

test('a single step is both', async () => {
  const { seen, watch } = placing()
  await createAgent({ model: looking(), tools: [look], use: [watch], maxSteps: 1 }).send('Go')
  expect(seen).toEqual(step('only'))
})

test('a jump back to the model uses up a step', async () => {
  const { seen, watch } = placing()
  const jump = middleware({
    name: 'jump',
    state: 0,
    afterDetect(ctx) {
      ctx.update(times => times + 1)
      return ctx.state === 1 ? goto('model') : undefined
    },
  })
  await createAgent({ model: looking(), tools: [look], use: [watch, jump], maxSteps: 3 }).send('Go')
  expect(seen).toEqual([...step('first'), ...step('last')])
})

test('the limit of a sub-agent is its own', async () => {
  const { seen, watch } = placing()
  const child = createAgent({ model: looking(), tools: [look], use: [watch] })
  const model = scriptedModel([{ calls: [{ name: 'child', args: { task: 'Look.' } }] }, 'Done'])
  await createAgent({ model, tools: [agentTool(child, { name: 'child', maxSteps: 2 })], use: [stepLimit(5)] }).send(
    'Go',
  )
  expect(seen).toEqual([...step('first'), ...step('last'), ...refused])
})
