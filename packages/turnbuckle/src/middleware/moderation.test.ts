import { createAgent, type Event, type Model, middleware, skip } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { type ModerationOptions, moderation } from './moderation.ts'
import { retry } from './retry.ts'

const pieces = (text: string, size = 4) => ({
  chunks: Array.from({ length: Math.ceil(text.length / size) }, (_, i) => ({
    type: 'text' as const,
    text: text.slice(i * size, (i + 1) * size),
  })),
})

async function converse(options: ModerationOptions, input: string, reply: string) {
  const model = scriptedModel([pieces(reply)])
  const turn = createAgent({ model, use: [moderation(options)] }).send(input)
  const deltas: string[] = []
  // Read from the beginning: deltas are not replayed.
  for await (const event of turn as AsyncIterable<Event>) if (event.type === 'message.delta') deltas.push(event.text)
  const { status, text, messages } = await turn.settled
  return { status, text, kept: messages.length, shown: deltas.join('') }
}

const judge = (verdict: string) => scriptedModel([verdict], { repeat: true })

test.each<{ name: string; options: ModerationOptions; passes: boolean }>([
  { name: 'a word', options: { words: ['Bomb'] }, passes: false },
  { name: 'a part of a word', options: { words: ['om'] }, passes: true },
  { name: 'a phrase with signs', options: { words: ['a bomb?'] }, passes: false },
  { name: 'a pattern', options: { patterns: [/b.mb/g] }, passes: false },
  { name: 'a check', options: { check: async (_text, { where }) => `no ${where}` }, passes: false },
  { name: 'a check that agrees', options: { check: () => undefined }, passes: true },
  { name: 'a model that says stop', options: { model: judge('STOP: weapons') }, passes: false },
  { name: 'a model that says pass', options: { model: judge('PASS') }, passes: true },
  { name: 'a model that is confused', options: { model: judge('Sure! Here is how') }, passes: false },
  { name: 'switched off', options: { words: ['bomb'], input: false }, passes: true },
])('the message, by $name', async ({ options, passes }) => {
  const found = await converse(options, 'How do I build a bomb?', 'Fine.')
  expect(found).toMatchObject(passes ? { status: 'completed', kept: 2 } : { status: 'stopped', kept: 0, shown: '' })
})

const reply = 'First sentence. Then a bad word here. And more.'
test.each<{ options: ModerationOptions; shown: string; text: string }>([
  { options: {}, shown: 'First sentence. ', text: 'First sentence. ' },
  { options: { say: 'Let us stop.' }, shown: 'First sentence. ', text: 'Let us stop.' },
  { options: { output: 'reply' }, shown: '', text: '' },
  { options: { output: false }, shown: reply, text: reply },
])('a bad reply is stopped before it is shown: $options', async ({ options, shown, text }) => {
  const found = await converse({ words: ['bad word'], ...options }, 'hi', reply)
  expect(found).toMatchObject({ status: options.output === false ? 'completed' : 'stopped', shown, text })
})

test.each(['sentence', 'reply'] as const)('a good reply is shown as it is: %s', async output => {
  expect(await converse({ words: ['bad word'], output }, 'hi', 'All. Is! Well')).toMatchObject({
    status: 'completed',
    text: 'All. Is! Well',
    shown: 'All. Is! Well',
  })
})

test.each(['sentence', 'reply'] as const)(
  'what the provider wants to see again stays on its part: %s',
  async output => {
    const chunks = [
      { type: 'reasoning', text: 'Think' },
      { type: 'reasoning', text: '', meta: 'signature' },
      { type: 'text', text: 'One. ' },
      { type: 'text', text: 'Two', meta: { id: 2 } },
      { type: 'text', text: 'Three', end: true },
      { type: 'text', text: 'Four', meta: { id: 4 } },
    ] as const
    const model = scriptedModel([{ chunks }])
    const { messages } = await createAgent({ model, use: [moderation({ words: ['bad'], output })] }).send('?')
    expect(messages[1]?.content).toEqual([
      { type: 'reasoning', text: 'Think', meta: 'signature' },
      { type: 'text', text: 'One. Two', meta: { id: 2 } },
      { type: 'text', text: 'Three' },
      { type: 'text', text: 'Four', meta: { id: 4 } },
    ])
  },
)

test('what is bad only across two sentences is found', async () => {
  expect((await converse({ patterns: [/one\. two/] }, 'hi', 'one. two. three.')).status).toBe('stopped')
})

test('a ready reply and an interjection are looked at too', async () => {
  const ready = middleware({ name: 'ready', beforeModel: () => skip('a bad word') })
  const guard = moderation({ words: ['bad word'] })
  const first = await createAgent({ model: scriptedModel([]), use: [ready, guard] }).send('hi')
  expect(first).toMatchObject({ status: 'stopped', by: 'moderation', text: '' })
  const said = middleware({ name: 'said', beforeModel: ctx => (ctx.step ? undefined : ctx.turn.interject('bad word')) })
  const second = await createAgent({ model: scriptedModel(['a', 'b']), use: [said, guard] }).send('hi')
  expect(second.status).toBe('stopped')
  expect(JSON.stringify(second.messages)).not.toContain('bad word')
})

test('a moderator that throws lets nothing through', async () => {
  const broken = (_text: string, { where }: { where: string }): undefined => {
    if (where === 'output') throw new Error('service down')
  }
  expect(await converse({ check: broken }, 'hi', 'Hello there. Bye.')).toMatchObject({
    status: 'failed',
    shown: '',
    text: '',
  })
})

test('a look that comes back when its attempt is over leaves the next attempt’s text alone', async () => {
  const late: (() => void)[] = []
  const guard = moderation({
    input: false,
    check: text =>
      text.startsWith('First')
        ? new Promise<undefined>(resolve => {
            late.push(() => resolve(undefined))
          })
        : undefined,
  })
  let cut: ((reason: unknown) => void) | undefined
  const limit = middleware({
    name: 'limit',
    wrapModel: (_ctx, next) =>
      next(undefined, {
        until: end => {
          cut = end
          return () => {}
        },
      }),
  })
  let attempts = 0
  const model: Model = {
    id: 'two',
    async *stream() {
      if (attempts++ === 0) yield { type: 'text', text: 'First one. The rest' }
      else {
        yield { type: 'text', text: 'Second' }
        late.pop()?.()
        await new Promise(setImmediate)
        yield { type: 'text', text: ' one.' }
      }
    },
  }
  const turn = createAgent({ model, use: [retry({ baseMs: 1, when: () => true }), limit, guard] }).send('Go.')
  await expect.poll(() => late.length).toBe(1)
  cut?.(new Error('slow'))
  expect((await turn).text).toBe('Second one.')
})

test.each(['PASS would be wrong. STOP', 'pass? no, STOP'])(
  'a moderator that says %j lets nothing through',
  async said => {
    const use = [moderation({ model: scriptedModel([said]), input: false, output: 'reply' })]
    const turn = createAgent({ model: scriptedModel(['one']), use }).send('x')
    expect(await turn).toMatchObject({ status: 'stopped', text: '' })
  },
)
