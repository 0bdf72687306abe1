import { expect, test } from 'vitest'
import { useNoColours } from '../../text/styled.ts'
import { editorWith } from '../editor/editor.ts'
import { type ChatState, emptyChatState } from '../transcript/chat-state.ts'
import { inputLines } from './input-lines.ts'
import { layoutScreen } from './layout-screen.ts'

useNoColours()

const frame = (changes: Partial<ChatState>, columns = 40, rows = 24) => {
  const state = { ...emptyChatState, ...changes }
  return inputLines(state, layoutScreen(state, columns, rows))
}

test('the cursor stands behind what is written, in columns and not in characters', () => {
  expect(frame({ editor: editorWith('hi') }).cursor).toEqual({ row: 1, column: 4 })
  expect(frame({ editor: editorWith('日本') }).cursor).toEqual({ row: 1, column: 6 })
  expect(frame({ editor: editorWith('one\ntwo') }).cursor).toEqual({ row: 2, column: 5 })
})

test('an empty input has a hint in it, but not while a question waits', () => {
  expect(frame({}).lines[1]).toMatch(/^❯ \S/)
  const asked = { id: 'q', kind: 'yes-no' as const, title: 'Sure?', body: '' }
  expect(frame({ questions: [asked] }).lines[1]?.trim()).toBe('❯')
})

test('messages for after the turn stand above the input, each on one line', () => {
  const { lines, cursor } = frame({ queue: ['first\nof two lines', 'second'], editor: editorWith('third') })
  expect(lines.slice(1, 4)).toEqual(['⧗ first of two lines', '⧗ second', '❯ third'])
  expect(cursor?.row).toBe(3)
})

test('while messages wait, an empty input says how to take one back', () => {
  expect(frame({ running: true }, 80).lines[1]).toContain('Alt-Enter after this turn')
  expect(frame({ running: true, queue: ['later'] }, 80).lines[2]).toContain('↑ takes the last one back')
})

test('a hint is below the input, cut to the screen', () => {
  const { lines } = frame({ hint: 'x'.repeat(100), editor: editorWith('hi') })
  expect(lines.at(-1)?.length).toBeLessThanOrEqual(40)
})

test('of a long input the part around the cursor is shown, with the number of lines that are not', () => {
  const text = Array.from({ length: 60 }, (_, i) => `line ${i}`).join('\n')
  const { lines } = frame({ editor: editorWith(text) })
  expect(lines.length).toBeLessThan(24)
  expect(lines.join('\n')).toContain('line 59')
  expect(lines.at(-1)).toMatch(/\d+ lines above/)
})
