import { agentTool, createAgent, type Middleware, type Model, tool } from 'turnbuckle'
import {
  type ApprovalOptions,
  approval,
  displayBuffer,
  dryRun,
  moderation,
  type PlannedCall,
  pii,
  sanitize,
  secrets,
} from 'turnbuckle/middleware'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'

type Use = readonly (Middleware | readonly Middleware[])[]

/** Says it letter by letter, so that those beside it come in between. */
const speaking = (text: string): Model => ({
  id: 'speaking',
  async *stream() {
    for (const letter of text) {
      await new Promise(resolve => setImmediate(resolve))
      yield { type: 'text', text: letter }
    }
  },
})

/** What sub-agents answer that are called at once. */
async function answers(said: Readonly<Record<string, string>>, use: Use): Promise<unknown[]> {
  const names = Object.keys(said)
  const tools = names.map(name => agentTool(createAgent({ model: speaking(said[name] ?? '') }), { name }))
  const model = scriptedModel([{ calls: names.map(name => ({ name, args: { task: 'Speak.' } })) }, 'Done.'])
  const { messages } = await createAgent({ model, tools, use }).send('Go')
  return messages.flatMap(({ content }) => content.flatMap(part => (part.type === 'result' ? [part.value] : [])))
}

describe('sub-agents that speak at once are not mixed up', () => {
  const said = { one: 'First this. Then that, 41 of them.', two: 'Something else. Not 11, is it?', three: 'Well. No.' }
  test.each<{ name: string; use: () => Use }>([
    { name: 'pii', use: () => [pii()] },
    { name: 'secrets', use: () => [secrets({ values: ['opensesame'] })] },
    { name: 'sanitize', use: () => [sanitize()] },
    { name: 'moderation', use: () => [moderation({ words: ['unspeakable'] })] },
    { name: 'displayBuffer', use: () => [displayBuffer({ display: { show() {} } })] },
  ])('$name', async ({ use }) => {
    expect(await answers(said, use())).toEqual(Object.values(said))
  })

  test('a find is whole, whoever speaks in between', async () => {
    const card = { one: 'It is 4111 1111 1111 1111.', two: 'It is 5500 0000 0000 0004.' }
    expect(await answers(card, [pii()])).toEqual(['It is [card].', 'It is [card].'])
  })
})

test('displayBuffer shows the reply, not what sub-agents say', async () => {
  const shown: string[] = []
  await answers({ one: 'Psst.' }, [displayBuffer({ display: { show: text => void shown.push(text) } })])
  expect(shown.join('')).toBe('Done.')
})

const pay = tool({ name: 'pay', run: () => 'paid' })
const paying = () => scriptedModel([{ calls: [{ name: 'pay', id: 'c' }] }, 'Done.'])

/** An agent that pays, and has a sub-agent that pays just so. */
function payer(use: Use) {
  const child = createAgent({ model: paying(), tools: [pay] })
  const model = scriptedModel([
    { calls: [{ name: 'pay', id: 'c' }] },
    { calls: [{ name: 'child', args: { task: 'Pay.' } }] },
    'Done.',
  ])
  return createAgent({ model, tools: [pay, agentTool(child, { name: 'child' })], use })
}

test("a yes to a call is none to a sub-agent's call that looks the same", async () => {
  const asked: string[] = []
  const answers = ({ name }: { name: string }) => {
    asked.push(name)
    return 'allow' as const
  }
  await payer([approval({ allow: ['child'], answers })]).send('Go')
  expect(asked).toEqual(['pay', 'pay'])
})

test('an approval that answers by itself answers its own questions only', async () => {
  const use = [approval({ tools: ['pay'], timeout: 0, name: 'payments' }), approval({ answers: () => 'allow' })]
  const { messages } = await createAgent({ model: paying(), tools: [pay], use }).send('Go')
  expect(messages[2]?.content[0]).toMatchObject({ name: 'pay', status: 'denied' })
})

test('dryRun shows one plan, with what sub-agents would do', async () => {
  const plans: (readonly PlannedCall[])[] = []
  await payer([dryRun({ safe: ['child'], onPlan: plan => void plans.push(plan) })]).send('Go')
  expect(plans.map(plan => plan.map(({ name, step }) => [name, step]))).toEqual([
    [
      ['pay', 0],
      ['pay', 0],
    ],
  ])
})

test.each<{ what: string; answers: NonNullable<ApprovalOptions['answers']>; status: string }>([
  { what: 'answers by itself', answers: () => 'allow', status: 'ok' },
  { what: 'says no', answers: () => 'deny', status: 'denied' },
  {
    what: 'fails',
    answers() {
      throw new Error('Out of order.')
    },
    status: 'denied',
  },
  { what: 'makes no sense', answers: () => ({ decision: 'maybe' }) as never, status: 'denied' },
])("an approval of a sub-agent's own that $what", async ({ answers, status }) => {
  const model = paying()
  const child = createAgent({ model, tools: [pay], use: [approval({ answers })] })
  const calls = [{ name: 'child', args: { task: 'Pay.' } }]
  await createAgent({ model: scriptedModel([{ calls }, 'Done.']), tools: [agentTool(child, { name: 'child' })] }).send(
    'Go',
  )
  expect(model.prompts[1]?.messages.at(-1)?.content).toMatchObject([{ name: 'pay', status }])
})

test("a sub-agent's own answers are none to its caller's questions", async () => {
  const model = paying()
  const child = createAgent({ model, tools: [pay], use: [approval({ answers: () => 'allow' })] })
  const calls = [{ name: 'child', args: { task: 'Pay.' } }]
  const use = [approval({ allow: ['child'], timeout: 0 })]
  const tools = [agentTool(child, { name: 'child' })]
  await createAgent({ model: scriptedModel([{ calls }, 'Done.']), tools, use }).send('Go')
  expect(model.prompts[1]?.messages.at(-1)?.content).toMatchObject([{ name: 'pay', status: 'denied' }])
})
