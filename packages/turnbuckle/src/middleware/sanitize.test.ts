import fc from 'fast-check'
import { createAgent, textOf, tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { pii } from './pii.ts'
import { type SanitizeOptions, sanitize } from './sanitize.ts'

const esc = '\x1b'
const streamed = async (text: string, size: number, options?: SanitizeOptions) => {
  const chunks = Array.from({ length: Math.ceil(text.length / size) }, (_, i) => ({
    type: 'text' as const,
    text: text.slice(i * size, (i + 1) * size),
  }))
  return (await createAgent({ model: scriptedModel([{ chunks }]), use: sanitize(options) }).send('?')).text
}

test.each([
  { name: 'colours', text: `a${esc}[31;1mred${esc}[0m`, becomes: 'ared' },
  { name: 'a title', text: `a${esc}]0;evil\x07b`, becomes: 'ab' },
  { name: 'a link', text: `${esc}]8;;http://evil${esc}\\click${esc}]8;;${esc}\\`, becomes: 'click' },
  { name: 'a clipboard', text: `${esc}]52;c;ZXZpbA==${esc}\\x`, becomes: 'x' },
  { name: 'device control', text: `${esc}Pq#0${esc}\\x`, becomes: 'x' },
  { name: 'eight-bit escapes', text: 'a\x9b31mb', becomes: 'ab' },
  { name: 'controls', text: 'a\x00\x08b\tc\nd\r\n', becomes: 'ab\tc\nd\r\n' },
  { name: 'zero width and direction', text: 'a\u200bb\u202ec\ufeff', becomes: 'abc' },
  { name: 'tags that only a model reads', text: 'a\u{e0041}\u{e0042}b', becomes: 'ab' },
  { name: 'joined emoji stay', text: '👩‍💻 ok', becomes: '👩‍💻 ok' },
])('takes out $name, also across deltas', async ({ text, becomes }) => {
  for (const size of [1, 2, 3, 100]) expect(await streamed(text, size)).toBe(becomes)
})

test('however a text is cut, the same is left', async () => {
  const parts = fc.constantFrom(
    esc,
    '[',
    ']',
    '0',
    'm',
    ';',
    '\x07',
    '\\',
    'P',
    '\x9b',
    'text',
    '\u200b',
    '\u{e0041}',
    '😀',
    '\n',
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(parts, { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 1, max: 5 }),
      async (list, size) => {
        expect(await streamed(list.join(''), size)).toBe(await streamed(list.join(''), 1000))
      },
    ),
    { numRuns: 200 },
  )
})

test.each<{ options?: SanitizeOptions; text: string; becomes: string }>([
  { text: '  e\u0301 \x07 ', becomes: 'é' },
  { options: { trim: false, normalize: false }, text: ' e\u0301 ', becomes: ' e\u0301 ' },
  { options: { controls: false }, text: 'a\x07', becomes: 'a\x07' },
  { options: { invisible: false }, text: 'a\u200bb', becomes: 'a\u200bb' },
  { options: { input: false }, text: ' a\x07 ', becomes: ' a\x07 ' },
])('the message: $options', async ({ options, text, becomes }) => {
  const { messages } = await createAgent({ model: scriptedModel(['ok']), use: sanitize(options) }).send(text)
  expect(textOf(messages[0])).toBe(becomes)
})

test('results are cleaned', async () => {
  const model = scriptedModel([{ calls: [{ name: 'cat' }] }, 'done'])
  await createAgent({ model, tools: [tool({ name: 'cat', run: () => [`${esc}[2Jhi`] })], use: sanitize() }).send('?')
  expect(model.prompts[1]?.messages.at(-1)?.content[0]).toMatchObject({ value: ['hi'] })
})

test.each([
  { name: 'sanitize, pii', use: () => [sanitize(), pii()] },
  { name: 'pii, sanitize', use: () => [pii(), sanitize()] },
])('nothing hides from redaction in either order: $name', async ({ use }) => {
  const result = await createAgent({ model: scriptedModel(['joe@exa\u200bmple.com']), use: use() }).send(
    '4111 1111\u200b 1111 1111',
  )
  expect([textOf(result.messages[0]), result.text]).toEqual(['[card]', '[email]'])
})
