import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keyboardChat as chat, question } from '../../../test/keyboard-chat.ts'
import { editorWith } from '../editor/editor.ts'
import type { KeyPress } from './key-press.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('what is being typed when a question comes up stays in the input, and Enter denies with it', () => {
  const { heard, ask, type, enter, later, written } = chat()
  type('wait, ')
  ask()
  type('do not')
  later(5000)
  type(' do that: y')
  expect(written()).toBe('wait, do not do that: y')
  enter()
  expect(heard).toEqual([{ decision: 'deny', reason: 'wait, do not do that: y' }])
  expect(written()).toBe('')
})

test.each([
  { what: 'within 400 ms of its appearing', after: 399, heard: [] },
  { what: 'after 400 ms', after: 400, heard: [{ decision: 'allow', scope: 'once' }] },
])('a key at a question $what counts or not', ({ after, heard: wanted }) => {
  for (const answer of ['y', '\r']) {
    const { heard, ask, answer: say, enter, later } = chat()
    ask()
    later(after)
    if (answer === 'y') say('y')
    else enter()
    expect(heard).toEqual(wanted)
  }
})

test('words whose first letter came just after a question appeared are words, and Enter denies with them', () => {
  const { heard, ask, type, enter, later, written } = chat()
  ask()
  for (const letter of 'yes, but not so') {
    later(150)
    type(letter)
  }
  expect(heard).toEqual([])
  expect(written()).toBe('yes, but not so')
  enter()
  expect(heard).toEqual([{ decision: 'deny', reason: 'yes, but not so' }])
})

test('words that come all at once just after a question appeared are in the input, and a single letter is not', () => {
  const { heard, ask, type, later, written } = chat()
  ask()
  type('y')
  later(1000)
  expect([heard, written()]).toEqual([[], ''])
  ask({ id: 'r2' })
  type('wait, do not')
  expect([heard, written()]).toEqual([[], 'wait, do not'])
})

test('a question that appears behind another has its own 400 ms', () => {
  const { heard, session, answer, later } = chat()
  session.set({ questions: [question, { ...question, id: 'r2' }] })
  later(400)
  answer('y')
  answer('y')
  expect(heard).toHaveLength(1)
  later(400)
  answer('y')
  expect(heard).toHaveLength(2)
})

test('a letter that is no answer begins a text, which Enter makes the reason of a no', () => {
  const { heard, ask, type, enter, later } = chat()
  ask()
  later(400)
  type('use yarn')
  enter()
  expect(heard).toEqual([{ decision: 'deny', reason: 'use yarn' }])
})

test.each([
  { kind: 'permission', heard: { decision: 'deny' } },
  { kind: 'yes-no', heard: { decision: 'deny' } },
  { kind: 'plan', heard: { decision: 'deny' } },
  { kind: 'outcome', heard: { outcome: 'stop' } },
  { kind: 'text', heard: 'expired' },
] as const)('one Esc at a $kind question means no, at any time and whatever is in the input', ({ kind, heard: no }) => {
  for (const draft of ['', 'half a mess']) {
    const { heard, ask, esc, written, session } = chat({ editor: editorWith(draft) })
    ask({ kind })
    esc()
    expect(heard).toEqual([no])
    expect(written()).toBe(draft)
    expect(session.state.hint).toBe('Esc again to stop')
    esc()
    expect(heard).toEqual([no, 'Esc Esc'])
  }
})

test.each(['yes-no', 'plan', 'outcome'] as const)('Enter is never an answer to a %s question', kind => {
  const { heard, ask, enter, later, session } = chat()
  ask({ kind })
  later(400)
  enter()
  expect(heard).toEqual([])
  expect(session.state.questions[0]?.problem).toMatch(/Enter is no answer here/)
})

test('text in the input at a question of the chat itself is no, and stays', () => {
  const { heard, ask, type, enter, written } = chat()
  type('next I want')
  ask({ kind: 'yes-no', own: true })
  enter()
  expect(heard).toEqual([{ decision: 'deny' }])
  expect(written()).toBe('next I want')
})

test('a question in words is answered with what is in the input; Enter just after it appeared is not meant', () => {
  const { heard, ask, type, enter, later } = chat()
  type('the blue')
  ask({ kind: 'text' })
  enter()
  expect(heard).toEqual([])
  type(' one')
  later(400)
  enter()
  expect(heard).toEqual([{ text: 'the blue one' }])
})

const escKey: KeyPress = { name: 'escape', text: '' }
const ctrlC: KeyPress = { name: 'ctrl', text: 'c' }
const letter: KeyPress = { name: 'text', text: 'x' }

test.each<{ name: string; presses: (KeyPress | number)[]; works: boolean; hears: string[]; hint: string }>([
  { name: 'Esc hints', presses: [escKey], works: true, hears: [], hint: 'Esc again to stop' },
  { name: 'the second Esc stops', presses: [escKey, 3000, escKey], works: true, hears: ['Esc Esc'], hint: '' },
  {
    name: 'Esc twice, too slowly, hints again',
    presses: [escKey, 3001, escKey],
    works: true,
    hears: [],
    hint: 'Esc again to stop',
  },
  {
    name: 'Esc, a letter, Esc hints again',
    presses: [escKey, letter, escKey],
    works: true,
    hears: [],
    hint: 'Esc again to stop',
  },
  { name: 'Esc with nothing running does nothing', presses: [escKey, escKey], works: false, hears: [], hint: '' },
  { name: 'Ctrl-C stops what runs', presses: [ctrlC], works: true, hears: ['Ctrl-C'], hint: '' },
  {
    name: 'Ctrl-C after that hints',
    presses: [ctrlC, ctrlC],
    works: true,
    hears: ['Ctrl-C'],
    hint: 'Ctrl-C again leaves.',
  },
  {
    name: 'Ctrl-C twice with nothing running leaves',
    presses: [ctrlC, 3000, ctrlC],
    works: false,
    hears: ['left'],
    hint: '',
  },
  {
    name: 'Ctrl-C twice, too slowly, stays',
    presses: [ctrlC, 3001, ctrlC],
    works: false,
    hears: [],
    hint: 'Ctrl-C again leaves.',
  },
  {
    name: 'Ctrl-C, a letter, Ctrl-C stays',
    presses: [ctrlC, letter, ctrlC],
    works: false,
    hears: [],
    hint: 'Ctrl-C again leaves.',
  },
])('$name', ({ presses, works, hears, hint }) => {
  const { heard, session, press, later } = chat()
  session.isWorking = works
  for (const one of presses)
    if (typeof one === 'number') later(one)
    else press(one.name, one.text)
  expect(heard).toEqual(hears)
  expect(session.state.hint).toBe(hint)
})

test.each([
  { whose: 'a turn that another program works on', own: false, hears: ['left'] },
  { whose: 'the chat', own: true, hears: [{ decision: 'deny' }, 'left'] },
])('Ctrl-C twice leaves at a question of $whose', ({ own, hears }) => {
  const { heard, session, ctrl } = chat({ running: false, questions: [{ ...question, own }] })
  session.isWorking = false
  ctrl('c')
  ctrl('c')
  expect(heard).toEqual(hears)
})

test('↑ in an empty input takes back the last queued message; else it looks back', () => {
  const { press, written, session } = chat({ queue: ['first', 'second'] })
  press('up')
  expect(written()).toBe('second')
  session.set({ editor: editorWith(''), queue: [] })
  press('up')
  expect(written()).toBe('an old line')
})

test('Ctrl-R finds older and older lines; Enter takes one without sending it, Esc brings the draft back', () => {
  const { heard, type, ctrl, enter, esc, written, session } = chat({ editor: editorWith('draft') })
  ctrl('r')
  type('npm')
  expect(written()).toBe('npm run build')
  expect(session.state.hint).toMatch(/^search history: npm · /)
  ctrl('r')
  expect(written()).toBe('npm test')
  ctrl('r')
  expect(session.state.hint).toContain('nothing older')
  ctrl('s')
  expect(written()).toBe('npm run build')
  esc()
  expect(written()).toBe('draft')
  ctrl('r')
  type('git')
  enter()
  expect(written()).toBe('git log')
  expect(heard).toEqual([])
  enter()
  expect(heard).toEqual(['said git log'])
})

test('e edits the command in the input; Enter runs it as it is then, Esc goes back to the question and the draft', () => {
  const { heard, ask, type, answer, enter, esc, later, written } = chat()
  ask()
  later(400)
  answer('e')
  expect(written()).toBe('ls')
  esc()
  expect(written()).toBe('')
  expect(heard).toEqual([])
  answer('e')
  type(' -l')
  enter()
  expect(heard).toEqual([{ decision: 'allow', scope: 'once', args: { command: 'ls -l' } }])
})

test.each(['pytest would do', 'you must not', 'Yes, but later', 'any other way?', 'explain it first', 'no, wait'])(
  'a text that begins with the letter of an answer is a text: %s',
  text => {
    for (const pause of [0, 150]) {
      const { heard, ask, type, enter, later, written } = chat()
      ask()
      later(400)
      for (const letter of text) {
        type(letter)
        later(pause)
      }
      later(1000)
      expect([heard, written()]).toEqual([[], text])
      enter()
      expect(heard).toEqual([{ decision: 'deny', reason: text }])
    }
  },
)

test('a letter counts at once when Enter follows it; Esc and Backspace withdraw it', () => {
  const { heard, ask, type, enter, press, esc, later } = chat()
  ask()
  later(400)
  type('y')
  press('backspace')
  later(1000)
  expect(heard).toEqual([])
  type('y')
  esc()
  later(1000)
  expect(heard).toEqual([{ decision: 'deny' }])
  ask({ id: 'r2' })
  later(400)
  type('y')
  enter()
  expect(heard.slice(1)).toEqual([{ decision: 'allow', scope: 'once' }])
})

test('a letter for a question that has gone meanwhile is no answer to the next one', () => {
  const { heard, ask, type, later, written } = chat()
  ask()
  later(400)
  type('y')
  ask({ id: 'r2' })
  later(1000)
  expect([heard, written()]).toEqual([[], ''])
})

test('the keys of docs/cli.md are those of the tables, each of them', () => {
  const docs = readFileSync(new URL('../../../../../docs/cli.md', import.meta.url), 'utf8')
  const table = docs.slice(docs.indexOf('## Keys'), docs.indexOf('With `"vim": true`'))
  const written = table.matchAll(/^\| ([^|]*(?:Ctrl|Alt)-[^|]*) \|/gm)
  const inDocs = [...written].flatMap(([, keys = '']) => keys.match(/\b(Ctrl|Alt)-(\w+|\S)/g) ?? [])
  const names = chat().keyboard.keyNames.filter(name => /^(ctrl|alt)-/.test(name))
  // Told apart by the reader of keys: a new line, words by arrows, the editor in two strokes.
  const elsewhere = ['ctrl-j', 'ctrl-←', 'ctrl-→', 'ctrl-x']
  expect(new Set(inDocs.map(key => key.toLowerCase()))).toEqual(new Set([...names, ...elsewhere]))
})
