import { createAgent, middleware, stop, textOf, tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { type CriticOptions, critic } from './critic.ts'

type Script = Parameters<typeof scriptedModel>[0]

async function run(
  verdicts: Script,
  options: CriticOptions | number = {},
  answers: Script = ['one', 'two', 'three', 'four'],
) {
  const model = scriptedModel(answers)
  const judge = scriptedModel(verdicts)
  const chat = createAgent({ model, use: [critic(judge, options)] }).conversation()
  const { status, text, steps, by } = await chat.send('why?').settled
  return { status, text, steps, by, judged: judge.prompts.length, judge, model, chat }
}

describe('critic', () => {
  test.each<{ name: string; verdicts: Script; options?: CriticOptions | number; is: object }>([
    {
      name: 'an accepted answer stands',
      verdicts: ['ACCEPT'],
      is: { status: 'completed', text: 'one', steps: 1, judged: 1 },
    },
    {
      name: 'an answer is revised until it is accepted',
      verdicts: ['REVISE: shorter', 'Accept.'],
      is: { text: 'two', steps: 2, judged: 2 },
    },
    {
      name: 'after the rounds the last version stands',
      verdicts: ['REVISE', 'REVISE'],
      is: { status: 'completed', text: 'three', judged: 2 },
    },
    { name: 'the rounds can be set', verdicts: ['REVISE'], options: 1, is: { text: 'two', judged: 1 } },
    { name: 'no rounds, no critic', verdicts: [], options: { rounds: 0 }, is: { text: 'one', judged: 0 } },
    {
      name: 'a rejected answer is written anew',
      verdicts: ['REJECT: wrong', 'ACCEPT'],
      is: { status: 'completed', text: 'two', judged: 2 },
    },
    {
      name: 'a rejection may stop the turn',
      verdicts: ['REJECT: wrong'],
      options: { onReject: 'stop' },
      is: { status: 'stopped', by: 'critic', text: 'one' },
    },
    {
      name: 'a sentence that begins with another form of the word is no acceptance',
      verdicts: ['Accepting this would be a mistake. REJECT'],
      options: { onReject: 'stop' },
      is: { status: 'stopped', by: 'critic' },
    },
    ...['I would not ACCEPT this.', 'Accept this? No.', 'ACCEPT or REJECT?'].map(verdict => ({
      name: `"${verdict}" is no acceptance`,
      verdicts: [verdict],
      is: { status: 'failed', by: 'critic' },
    })),
    ...['**ACCEPT**', 'Verdict: accept', 'Accepted.', 'It is right.\n\nACCEPT'].map(verdict => ({
      name: `"${verdict}" is acceptance`,
      verdicts: [verdict],
      is: { status: 'completed', text: 'one' },
    })),
    {
      name: 'a critic that throws is no acceptance',
      verdicts: [{ error: new Error('down') }],
      is: { status: 'failed', by: 'critic' },
    },
    {
      name: 'a critic that says nothing clear is no acceptance',
      verdicts: ['Nice weather.'],
      is: { status: 'failed', by: 'critic' },
    },
  ])('$name', async ({ verdicts, options, is }) => {
    expect(await run(verdicts, options)).toMatchObject(is)
  })

  test('the critic sees the question and the answer, and nothing else', async () => {
    const { judge, model } = await run(['REVISE: say more', 'ACCEPT'])
    expect(judge.prompts.map(({ messages }) => messages.map(textOf))).toEqual([
      ['Question:\nwhy?\n\nAnswer:\none'],
      ['Question:\nwhy?\n\nAnswer:\ntwo'],
    ])
    expect(model.prompts[1]?.messages.map(textOf)).toEqual(['why?', 'one', expect.stringContaining('say more')])
  })

  test('a rejected answer is out of sight, and stays in the tree', async () => {
    const { model, chat } = await run(['REJECT: wrong', 'ACCEPT'])
    expect(model.prompts[1]?.messages.map(textOf)).toEqual(['why?', expect.stringContaining('wrong')])
    expect(chat.tree.map(node => textOf(node.message))).toContain('one')
    expect(chat.messages.map(textOf)).not.toContain('one')
  })

  test.each([
    { name: 'decision', judge: () => ({ decision: 'accept' as const }), status: 'completed', text: 'one' },
    { name: 'accepted', judge: async () => ({ accepted: true }), status: 'completed', text: 'one' },
    { name: 'not accepted', judge: () => ({ accepted: false, advice: 'no' }), status: 'completed', text: 'three' },
    { name: 'nonsense', judge: () => ({}) as { accepted: boolean }, status: 'failed', text: 'one' },
  ])('a function may judge: $name', async ({ judge, status, text }) => {
    const model = scriptedModel(['one', 'two', 'three'])
    expect(await createAgent({ model, use: [critic(judge)] }).send('why?').settled).toMatchObject({ status, text })
  })

  test('a step that calls tools is not judged', async () => {
    const { judged, text } = await run(['ACCEPT'], {}, [{ text: 'wait', calls: [{ name: 'missing' }] }, 'done'])
    expect({ judged, text }).toEqual({ judged: 1, text: 'done' })
  })

  test('a limit that has ended the turn spares the critic', async () => {
    const judge = scriptedModel(['ACCEPT'])
    const limit = middleware({ name: 'limit', afterModel: () => stop('enough') })
    const look = tool({ name: 'look', run: () => 'x' })
    const agent = createAgent({ model: scriptedModel(['one']), tools: [look], use: [critic(judge), limit] })
    expect((await agent.send('why?')).status).toBe('stopped')
    expect(judge.prompts).toHaveLength(0)
  })

  test('the calls of the critic count', async () => {
    const usage = { inputTokens: 10, outputTokens: 5, cost: 0.1 }
    const judge = scriptedModel([{ text: 'ACCEPT', usage }])
    const { usage: total } = await createAgent({
      model: scriptedModel([{ text: 'one', usage }]),
      use: [critic(judge)],
    }).send('why?')
    expect(total).toEqual({ inputTokens: 20, outputTokens: 10, cost: 0.2 })
  })
})
