import { expect, test } from 'vitest'
import { sourceWords } from './source-note.tsx'

test.each([
  { source: { from: 'default' }, words: 'Not set: the default.' },
  { source: { from: 'user' }, words: 'Set in your file.' },
  {
    source: { from: 'project', place: 'turnbuckle.config.json:4' },
    words: 'Fixed by the project: turnbuckle.config.json:4',
  },
  { source: { from: 'flag', place: '--model' }, words: 'Fixed by the command line: --model' },
  { source: { from: 'environment', place: 'A_KEY' }, words: 'Fixed by the environment: A_KEY' },
] as const)('$source.from is told as "$words"', ({ source, words }) => {
  expect(sourceWords(source)).toBe(words)
})
