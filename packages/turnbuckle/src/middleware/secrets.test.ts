import { createAgent, middleware, textOf, tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { type SecretsOptions, secrets } from './secrets.ts'

// Put together here, so that no scanner takes them for real ones.
const github = `ghp_${'a1B2'.repeat(9)}`
const aws = `AKIA${'IOSFODNN7EXAMPLE'}`
const jwt = ['eyJhbGciOiJIUzI1NiJ9', 'eyJzdWIiOiIxMjM0In0', 'c2lnbmF0dXJlMTIz'].join('.')
const key = ['-----BEGIN RSA PRIVATE', 'KEY-----\nMIIEpAIB\n-----END RSA PRIVATE', 'KEY-----'].join(' ')

test.each([
  { text: `token ${github}.`, becomes: 'token [github-token].' },
  { text: `key ${aws} here`, becomes: 'key [aws-key] here' },
  { text: `sk-${'ab12'.repeat(8)}`, becomes: '[api-key]' },
  { text: `Bearer ${jwt}`, becomes: 'Bearer [jwt]' },
  { text: `a\n${key}\nb`, becomes: 'a\n[private-key]\nb' },
  { text: `a\n${key.slice(0, 40)}`, becomes: 'a\n[private-key]' },
  { text: 'postgres://me:hunter2@db/app', becomes: '[login]db/app' },
  { text: 'https://example.com/a:b@c', becomes: 'https://example.com/a:b@c' },
  { text: 'the word sk-learn and ghp_short', becomes: 'the word sk-learn and ghp_short' },
  { text: 'it is opensesame!', becomes: 'it is [secret]!' },
])('keeps a secret out of the message and the reply: $becomes', async ({ text, becomes }) => {
  for (const size of [1, 5, 1000]) {
    const chunks = Array.from({ length: Math.ceil(text.length / size) }, (_, i) => ({
      type: 'text' as const,
      text: text.slice(i * size, (i + 1) * size),
    }))
    const use = secrets({ values: ['opensesame', undefined, ''] })
    const result = await createAgent({ model: scriptedModel([{ chunks }]), use }).send(text)
    expect([textOf(result.messages[0]), result.text]).toEqual([becomes, becomes])
  }
})

const said = { calls: [{ name: 'post', args: { body: { text: `key ${github}` } } }] }
const ready = middleware({
  name: 'ready',
  wrapModel: (ctx, next) =>
    ctx.step
      ? next()
      : { id: 'ready', role: 'assistant', content: said.calls.map(call => ({ type: 'call', id: 'c', ...call })) },
})

test.each<{ from: string; options: SecretsOptions; runs: boolean }>([
  { from: 'the model', options: {}, runs: false },
  { from: 'the model', options: { calls: 'pass' }, runs: true },
  { from: 'a hook', options: {}, runs: false },
  { from: 'a hook', options: { calls: 'pass' }, runs: true },
])('a call of $from that carries a secret: $options', async ({ from, options, runs }) => {
  let ran = false
  const post = tool({
    name: 'post',
    run: () => {
      ran = true
      return 'posted'
    },
  })
  const use = [...secrets(options), ...(from === 'a hook' ? [ready] : [])]
  const model = scriptedModel(from === 'a hook' ? ['done'] : [said, 'done'])
  const turn = createAgent({ model, tools: [post], use }).send('?')
  const { messages } = await turn
  expect(ran).toBe(runs)
  expect(messages[2]?.content[0]).toMatchObject({ status: runs ? 'ok' : 'blocked' })
  const events: unknown[] = []
  for await (const event of turn) events.push(event)
  expect(JSON.stringify(events).includes(github)).toBe(runs)
})
