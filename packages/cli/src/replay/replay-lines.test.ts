import type { Replayed, ReplayedTurn } from 'turnbuckle/stores'
import { expect, test } from 'vitest'
import { costText, replayedLines, summaryLines, turnLines, usageText } from './replay-lines.ts'
import { ReplayTally } from './replay-tally.ts'

const usage = { inputTokens: 1200, outputTokens: 30, cost: 0.5 }
const different = {
  conversationId: 'c',
  turnId: 't',
  outcome: 'different',
  differences: [
    { when: 'then', directive: 'skip', by: 'cache', at: 'beforeModel', step: 1 },
    { when: 'now', directive: 'stop', by: 'limit', at: 'beforeTurn', step: 0, reason: 'too\nmany' },
  ],
  texts: [{ role: 'assistant', before: 'Hi.', after: 'No.' }],
  unverified: [{ by: 'pii' }, { by: 'pii' }],
  divergence: undefined,
  usage: { before: usage, after: usage },
} as unknown as Replayed & ReplayedTurn

test('a turn has a line for each difference, with what was then and what is now', () => {
  expect(replayedLines(different)).toEqual([
    '- skip by cache at beforeModel, step 1',
    '+ stop by limit at beforeTurn, step 0: too many',
    '- assistant: Hi.',
    '+ assistant: No.',
    'Not checked: pii had replaced something, and the record has only what it left.',
  ])
})

test('from a divergence on the record does not apply, which is said', () => {
  const divergence = { where: 'step 2', at: 'model', reason: 'another prompt' }
  const [line] = replayedLines({ ...different, differences: [], texts: [], unverified: [], divergence } as never)
  expect(line).toBe('From step 2 on the record no longer applies (model): another prompt')
})

test('of a store a turn that is the same has no line, and one that failed says why', () => {
  expect(turnLines({ ...different, outcome: 'same' } as never)).toEqual([])
  expect(turnLines({ ...different, outcome: 'failed', error: new Error('no\nlog') } as never)).toEqual([
    'c t: failed: no log',
  ])
  expect(turnLines(different)[0]).toBe('c t: different')
})

test('the summary counts outcomes and decisions, and compares what was used', () => {
  const tally = new ReplayTally()
  tally.add(different)
  tally.add({ ...different, outcome: 'skipped' } as never)
  expect(summaryLines(tally)).toEqual([
    '1 turn in 1 conversation: 0 same, 1 different; 1 left out.',
    '- skip by cache at beforeModel: 1 turn',
    '+ stop by limit at beforeTurn: 1 turn',
    'Before: 1.2k tokens in, 30 out, $0.50. After: 1.2k tokens in, 30 out, $0.50. (Turns that did not diverge.)',
  ])
})

test.each([
  { cost: 0, unknownCalls: 0, text: '$0.00' },
  { cost: 0.012, unknownCalls: 0, text: '$0.0120' },
  { cost: 0.012, unknownCalls: 2, text: '$0.0120 and 2 calls of unknown cost' },
  { cost: 0, unknownCalls: 1, text: 'cost unknown' },
])('a cost is told as $text', ({ text, ...sum }) => {
  expect(costText(sum)).toBe(text)
  expect(usageText({ inputTokens: 1, outputTokens: 2, ...sum })).toBe(`1 tokens in, 2 out, ${text}`)
})
