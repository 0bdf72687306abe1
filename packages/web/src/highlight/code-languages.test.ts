import { expect, test } from 'vitest'
import { grammarName, loadGrammar } from './code-languages.ts'

test.each([
  { language: 'ts', is: 'typescript' },
  { language: 'C++', is: 'cpp' },
  { language: 'patch', is: 'diff' },
  { language: 'klingon', is: undefined },
  { language: 'constructor', is: undefined },
])('$language is coloured as $is', ({ language, is }) => expect(grammarName(language)).toBe(is))

test('a grammar is loaded by its name', async () => {
  expect((await loadGrammar('diff')).map(({ name }) => name)).toEqual(['diff'])
})
