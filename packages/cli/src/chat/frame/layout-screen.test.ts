import { expect, test } from 'vitest'
import { editorWith } from '../editor/editor.ts'
import { emptyChatState } from '../transcript/chat-state.ts'
import type { Question } from '../transcript/question.ts'
import type { TranscriptItem } from '../transcript/transcript-item.ts'
import { layoutScreen, newestItemsThatFit } from './layout-screen.ts'

const card = (id: string, progress?: string): TranscriptItem => ({
  kind: 'tool',
  id,
  name: 'wait',
  args: {},
  status: 'running',
  startedAt: 0,
  done: false,
  ...(progress === undefined ? {} : { progress }),
})
const cards = [card('a'), card('b'), card('c', '1/2')]

test.each([
  { rows: 7, shown: ['a', 'b', 'c'], more: 0 },
  { rows: 6, shown: ['b', 'c'], more: 1 },
  { rows: 5, shown: ['c'], more: 2 },
  { rows: 4, shown: ['c'], more: 2 },
  { rows: 3, shown: [], more: 3 },
])('in $rows rows there is space for $shown', ({ rows, shown, more }) => {
  const [items, left] = newestItemsThatFit(cards, rows, 80)
  expect(items.map(({ id }) => id)).toEqual(shown)
  expect(left).toBe(more)
})

const question = (body: string, diff?: string): Question => ({
  id: 'r',
  kind: 'permission',
  title: 'May it run?',
  body,
  scopes: ['once', 'conversation', 'project', 'always'],
  pattern: 'write_file',
  ...(diff === undefined ? {} : { diff }),
})

test('a title that fills its line says below how many questions come after it', () => {
  const asked = { ...question('a'), title: 'word '.repeat(15).trim() }
  const title = (questions: Question[]) => layoutScreen({ ...emptyChatState, questions }, 80, 24).question?.title
  expect(title([asked])).toEqual([asked.title])
  expect(title([asked, asked])).toEqual([`${asked.title} `, '(1 more after this)'])
})

const long = question('one\n'.repeat(40), '+x\n'.repeat(40))
const words = { ...emptyChatState.editor, text: 'word '.repeat(200), cursor: 0 }
const busy = { ...emptyChatState, running: true, live: cards, queue: ['1', '2', '3', '4', '5', '6'] }

test.each([
  { what: 'a question', state: { ...busy, questions: [long] } },
  { what: 'a question with its help', state: { ...busy, questions: [{ ...long, help: true }] } },
  { what: 'other arguments', state: { ...busy, editor: words, questions: [{ ...long, writing: 'args' as const }] } },
  { what: 'a long message', state: { ...busy, editor: words } },
  { what: 'many that wait', state: { ...busy, hint: 'so' } },
  { what: 'a command', state: { ...busy, editor: editorWith('/h') } },
])('what is drawn is lower than the screen: $what', ({ state }) => {
  for (const [columns, rows] of [
    [80, 24],
    [200, 50],
    [40, 20],
    [36, 18],
  ] as const) {
    const { written, queue, queued, question: fitted, live, more } = layoutScreen(state, columns, rows)
    const above = live.length * 2 + (live.length ? 1 : 0) + (more ? 1 : 0)
    const input = 1 + queue.length + (queued ? 1 : 0) + written.lines + (written.above || written.below ? 1 : 0)
    expect(above + (fitted?.height ?? 0) + input + 1, `${columns} × ${rows}`).toBeLessThan(rows)
  }
})
