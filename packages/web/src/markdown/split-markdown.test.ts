import { expect, test } from 'vitest'
import { fenceIn, splitMarkdown } from './split-markdown.ts'

const paragraph = (name: string) => `${name} ${'word '.repeat(100)}\n\n`
const long = Array.from({ length: 400 }, (_, i) => paragraph(`p${i}`)).join('')

test('200 kB are cut into sections of a few kB, and no text is lost', () => {
  const sections = splitMarkdown(long)
  expect(long.length).toBeGreaterThan(200_000)
  expect(Math.max(...sections.map(section => section.length))).toBeLessThan(3000)
  expect(sections.join('')).toBe(long)
})

test('text that is appended changes only the last section', () => {
  const before = splitMarkdown(long)
  const after = splitMarkdown(`${long}and more`)
  expect(after.slice(0, before.length - 1)).toEqual(before.slice(0, -1))
})

test.each([
  { name: 'a fenced block', text: `\`\`\`\n${'line\n\n'.repeat(1000)}\`\`\`\n` },
  { name: 'a table of some kB', text: `| a |\n|---|\n${'| b |\n'.repeat(600)}` },
  { name: 'a list with blank lines', text: '- item\n\n  more\n\n'.repeat(200) },
])('$name stays whole', ({ text }) => {
  expect(splitMarkdown(text)).toEqual([text])
})

test.each([
  { name: 'a list', text: '- item of a list\n'.repeat(12_000) },
  { name: 'a paragraph of many lines', text: 'word word word\n'.repeat(14_000) },
  { name: 'a paragraph of one line', text: 'word '.repeat(40_000) },
])('$name of 200 kB is cut all the same', ({ text }) => {
  const sections = splitMarkdown(text)
  expect(Math.max(...sections.map(section => section.length))).toBeLessThanOrEqual(16_000)
  expect(sections.join('')).toBe(text)
})

test.each([
  { name: 'with pipes around', header: '| a | b |\n|---|--:|\n', row: '| some words | and more of them |\n' },
  { name: 'with pipes between', header: 'a | b\n--- | ---\n', row: 'some words | and more of them\n' },
])('a table of 200 kB $name goes on in the next section under its header', ({ header, row }) => {
  const sections = splitMarkdown(`Before:\n\n${header}${row.repeat(6000)}\nAfter.`)
  expect(sections.length).toBeGreaterThan(20)
  expect(Math.max(...sections.map(section => section.length))).toBeLessThanOrEqual(4100)
  expect(sections.slice(1, -1).every(section => section.startsWith(header))).toBe(true)
  const rows = sections.join('').split(row).length - 1
  expect(rows).toBe(6000)
  expect(sections.at(-1)).toMatch(/After\.$/)
})

test('what is below a long table without a blank line has no header over it', () => {
  const sections = splitMarkdown(`| a |\n|---|\n${'| some words |\n'.repeat(250)}${'More words below.\n'.repeat(200)}`)
  expect(sections.join('').match(/\| a \|/g)).toHaveLength(1)
})

test('a fenced block is a section of its own, unless it is in a list', () => {
  expect(splitMarkdown('a\n```ts\nb\n```\nc')).toEqual(['a\n', '```ts\nb\n```\n', 'c'])
  expect(splitMarkdown('- a\n  ```ts\n  b\n  ```\n- c')).toHaveLength(1)
})

test.each([
  { section: '```ts\na\n\nb\n```\n', is: { language: 'ts', code: 'a\n\nb' } },
  { section: '```ts\na', is: { language: 'ts', code: 'a' } },
  { section: '````c++ title="x"\n```\n````', is: { language: 'c++', code: '```' } },
  { section: '~~~\n~~~', is: { language: '', code: '' } },
  { section: '```"><b>\na\n```', is: { language: '', code: 'a' } },
  { section: 'a ```b```', is: undefined },
])('$section is the block $is', ({ section, is }) => expect(fenceIn(section)).toEqual(is))
