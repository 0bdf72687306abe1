import { createAgent, middleware, type Span } from 'turnbuckle'
import { critic, redact } from 'turnbuckle/middleware'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'

const secret = 'EMP-123456'

/** A hook that puts the secret into every part of the prompt. */
const telling = middleware({
  name: 'telling',
  beforeModel(ctx) {
    const messages = [
      ...ctx.prompt.messages,
      { id: 'm', role: 'user' as const, content: [{ type: 'text' as const, text: secret }] },
    ]
    ctx.prompt = { ...ctx.prompt, messages, params: { user: secret } }
    ctx.instruct(`Never say ${secret}.`)
  },
})

async function spansOf(redacted: boolean): Promise<{ readonly spans: Span[]; readonly prompts: string }> {
  const spans: Span[] = []
  const watch = middleware({ name: 'watch', onTrace: span => void spans.push(span) })
  const model = scriptedModel(['A draft.', 'An answer.'])
  const judge = scriptedModel([`REVISE Leave out ${secret}.`, 'ACCEPT'], { id: 'judge' })
  const use = [telling, critic(judge), watch, redacted ? redact(/EMP-\d{6}/, '[employee]') : []]
  await createAgent({ model, use, instructions: `Of ${secret}:` }).send('Go')
  return { spans, prompts: JSON.stringify(model.prompts) }
}

test('the trace of a model call has what a redactor leaves, of hooks and judges too; the model is sent it all', async () => {
  const { spans, prompts } = await spansOf(true)
  const exchanges = spans.flatMap(span => span.exchanges ?? [])
  expect(exchanges.map(({ model }) => model)).toEqual(['scripted', 'judge', 'scripted', 'judge'])
  expect(JSON.stringify(spans)).not.toContain(secret)
  expect(exchanges[0]?.sent).toMatchObject({
    params: { user: '[employee]' },
    instructions: expect.stringContaining('Of [employee]:'),
  })
  expect(exchanges[1]?.received).toEqual([{ type: 'text', text: 'REVISE Leave out [employee].' }])
  expect(prompts).toContain(secret)
})

test('without a redactor it is what was sent and what came back', async () => {
  const { spans } = await spansOf(false)
  const [first] = spans.flatMap(span => span.exchanges ?? [])
  expect(first?.sent).toMatchObject({ params: { user: secret } })
})
