import { expect, test } from 'vitest'
import { emptyChatState } from '../transcript/chat-state.ts'
import type { Question } from '../transcript/question.ts'
import type { TranscriptItem } from '../transcript/transcript-item.ts'
import { fitQuestion, isShownWhole } from './fit-question.ts'
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
  { room: 7, shown: ['a', 'b', 'c'], more: 0 },
  { room: 6, shown: ['b', 'c'], more: 1 },
  { room: 5, shown: ['c'], more: 2 },
  { room: 4, shown: ['c'], more: 2 },
  { room: 3, shown: [], more: 3 },
])('in $room lines there is room for $shown', ({ room, shown, more }) => {
  const [items, left] = newestItemsThatFit(cards, room, 80)
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

test.each([
  { what: 'all of it', body: 'a\nb', diff: '+x', room: 11, fits: { body: ['a', 'b'], diff: 1, more: 0 } },
  { what: 'a line that is too wide in two', body: 'a'.repeat(80), room: 20, fits: { diff: 0, more: 0 } },
  {
    what: 'a part of each',
    body: 'a\nb\nc\nd',
    diff: '+x\n+y\n+z',
    room: 12,
    fits: { body: ['a', 'b'], diff: 2, more: 3 },
  },
  { what: 'at least a line', body: 'a\nb', diff: '+x', room: 1, fits: { body: ['a'], diff: 1, more: 1 } },
])('a question shows $what', ({ body, diff, room, fits }) => {
  expect(fitQuestion(question(body, diff), room, 80)).toMatchObject(fits)
})

test('a title that fills its line says below how many questions come after it', () => {
  const asked = { ...question('a'), title: 'word '.repeat(15).trim() }
  const title = (questions: Question[]) => layoutScreen({ ...emptyChatState, questions }, 80, 24).question?.title
  expect(title([asked])).toEqual([asked.title])
  expect(title([asked, asked])).toEqual([`${asked.title} `, '(1 more after this)'])
})

test('on a low screen a question has its keys alone', () => {
  expect(fitQuestion(question('a'), 9, 34).keys).toEqual(['y Y p a · n N · e · ? help'])
  expect(fitQuestion(question('a'), 30, 80).keys).toHaveLength(2)
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
  { what: 'a command', state: { ...busy, editor: { text: '/h', cursor: 2 } } },
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

test('a question that may be cut while it is answered is not seen whole', () => {
  expect(isShownWhole(question('a\nb\nc'), 80, 24)).toBe(true)
  expect(isShownWhole(long, 80, 24)).toBe(false)
})
