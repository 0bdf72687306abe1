// biome-ignore-all lint/suspicious/noControlCharactersInRegex: a terminal's sequences are looked for
import { expect, test } from 'vitest'
import { chatting } from './chatting.ts'
import { FakeProvider } from './fake-provider.ts'
import type { Terminal } from './terminal.ts'

const chat = chatting()
const model = ['--model', 'compatible/fake']

const reply = `# Findings

- first
- second
  - nested
    1. deep
- third

Tasks:

- [x] done
- [ ] open

| name | count |
|---|---:|
| tea | 4 |
| coffee | 12 |

Read [the manual](https://manual.example/read) first, it is **short** and \`plain\`.

\`\`\`ts
const total = 4 // the sum
\`\`\`
`

test.each([
  [80, 24],
  [120, 40],
  [40, 20],
  [200, 60],
])('Markdown is drawn at %i × %i: lists, tasks, tables, links that are links, code with colour', async (cols, rows) => {
  using provider = new FakeProvider()
  const terminal = await chat.start(model, { cols, rows, env: await provider.listen() })
  terminal.type('tell me\r')
  const call = await provider.next()
  // In parts that end anywhere, as a model streams.
  for (let at = 0; at < reply.length; at += 7) call.say(reply.slice(at, at + 7))
  call.end()
  const text = await terminal.see(/the sum[\s\S]*Say something/)
  const drawn = text.slice(text.indexOf('Findings'))
  expect(drawn).toMatch(
    /^Findings\n\n• first\n• second\n {2}• nested\n {4}1\. deep\n• third\n\nTasks:\n\n• ☑ done\n• ☐ open\n/,
  )
  expect(drawn).toMatch(/│ name {3}│ count │\n.*\n│ tea {4}│ {5}4 │\n│ coffee │ {4}12 │\n/)
  expect(drawn).not.toMatch(/\*\*|```|\|---|\]\(/)
  expect(terminal.raw).toContain('\x1b]8;;https://manual.example/read\x1b\\')
  expect(terminal.raw).toMatch(/\x1b\[1m[^\x1b]*short/)
  expect(terminal.raw).toContain('\x1b[35mconst\x1b[39m')
  expect(text.split('\n').every(line => line.length <= cols)).toBe(true)
  expect(text.match(/Findings/g)).toHaveLength(1)
})

/** How often the text has each of these. */
const counts = (terminal: Terminal, words: readonly string[]) =>
  words.map(word => terminal.text().split(new RegExp(`\\b${word}\\b`)).length - 1)

test.each([
  { from: [80, 24], to: [40, 20] },
  { from: [40, 20], to: [120, 40] },
  { from: [200, 60], to: [80, 24] },
] as const)('a resize from $from to $to while a reply streams leaves nothing twice', async ({ from, to }) => {
  using provider = new FakeProvider()
  const [cols, rows] = from
  const terminal = await chat.start(model, { cols, rows, env: await provider.listen() })
  terminal.type('hello\r')
  const first = await provider.next()
  first.say('Hello.')
  first.end()
  await terminal.see(/Hello\.[\s\S]*Say something/)
  terminal.type('tell me\r')
  const call = await provider.next()
  const words = Array.from({ length: 30 }, (_, i) => `paragraph${i}`)
  for (const word of words.slice(0, 15)) call.say(`${word} has some words in it.\n\n`)
  call.say('half a sentence')
  await terminal.see(/half a sentence[\s\S]*● writing/)
  await terminal.resize(to[0], to[1])
  await terminal.seeOnScreen(/half a sentence[\s\S]*● writing/)
  call.say(' and its end.\n\n')
  for (const word of words.slice(15)) call.say(`${word} has some words in it.\n\n`)
  call.end()
  await terminal.see(/paragraph29[\s\S]*Say something/)
  expect(counts(terminal, words)).toEqual(words.map(() => 1))
  expect(counts(terminal, ['sentence', 'Say something'])).toEqual([1, 1])
})

const names = Array.from({ length: 120 }, (_, i) => `name${i}`)

test.each([
  { block: 'paragraph', begin: '', line: (name: string) => `The sentence about ${name} has **some** words. ` },
  { block: 'paragraph that is one emphasis', begin: '**', line: (name: string) => `A sentence about ${name}. ` },
  { block: 'list', begin: '', line: (name: string) => `- ${name} has some words in its item\n` },
  { block: 'nested list', begin: '- top\n', line: (name: string) => `  - ${name} has some words in its item\n` },
  { block: 'quote', begin: '', line: (name: string) => `> - ${name} has some words in its quote\n` },
  { block: 'code block', begin: '```ts\n', line: (name: string) => `const ${name} = 'some words' // and more words\n` },
  { block: 'table', begin: '| a | b |\n|---|---|\n', line: (name: string) => `| ${name} | some words |\n` },
])('a window that becomes lower than the $block that is written leaves nothing twice', async ({ begin, line }) => {
  using provider = new FakeProvider()
  const terminal = await chat.start(model, { cols: 200, rows: 60, env: await provider.listen() })
  terminal.type('tell me\r')
  const call = await provider.next()
  call.say(begin)
  for (const { from, to, size } of [
    { from: 0, to: 50, size: [80, 24] },
    { from: 50, to: 90, size: [40, 20] },
    { from: 90, to: 120, size: [120, 40] },
  ] as const) {
    for (const name of names.slice(from, to)) call.say(line(name))
    await terminal.seeOnScreen(new RegExp(`\\bname${to - 1}\\b[\\s\\S]*● writing`))
    await terminal.resize(size[0], size[1])
    await terminal.seeOnScreen(/● writing/)
  }
  call.end()
  await terminal.see(/name119\b[\s\S]*Say something/)
  expect(counts(terminal, names)).toEqual(names.map(() => 1))
})

const shapes = {
  'bold paragraph of 3,000 characters': ['**', (name: string) => `${name} is told about. `, 'end**'],
  'table of 60 rows': ['| a | b |\n|---|---|\n', (name: string) => `| ${name} | some words |\n`, ''],
  'nested list': ['- top\n', (name: string) => `  - ${name} has some words in its item\n`, ''],
  'item deep in a list': ['- top\n  - next\n    - ', (name: string) => `${name} is told about. `, ''],
  'code block of 200 lines': ['```ts\n', (name: string) => `const ${name} = 'some words' // and more words\n`, '```\n'],
} as const
const sizes = [
  [80, 24],
  [40, 20],
  [200, 60],
  [61, 30],
  [120, 40],
] as const

test.each(Object.keys(shapes).flatMap(shape => [1, 20].map(count => ({ shape: shape as keyof typeof shapes, count }))))(
  'a $shape is there once after $count resizes within a second while it is written',
  async ({ shape, count }) => {
    using provider = new FakeProvider()
    const terminal = await chat.start(model, { cols: 120, rows: 40, env: await provider.listen() })
    const [begin, line, end] = shapes[shape]
    const all = Array.from(
      { length: shape.startsWith('code') ? 200 : shape.startsWith('table') ? 60 : 140 },
      (_, i) => `name${i}x`,
    )
    terminal.type('tell me\r')
    const call = await provider.next()
    call.say(begin)
    const piece = Math.ceil(all.length / 22)
    const say = (from: number) => {
      for (const name of all.slice(from, from + piece)) call.say(line(name))
    }
    say(0)
    await terminal.see(/name0x[\s\S]*● writing/)
    for (let i = 1; i < 22; i++) {
      say(i * piece)
      const [cols, rows] = sizes[i % sizes.length] ?? [80, 24]
      if (i <= count) await terminal.resize(cols, rows)
      await new Promise(resolve => setTimeout(resolve, 45))
    }
    call.say(end)
    call.end()
    await terminal.see(new RegExp(`${all.at(-1)}[\\s\\S]*Say something`))
    expect(counts(terminal, all)).toEqual(all.map(() => 1))
  },
)
