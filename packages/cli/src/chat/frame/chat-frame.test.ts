import { expect, test } from 'vitest'
import { useNoColours } from '../../text/styled.ts'
import { editorWith } from '../editor/editor.ts'
import { openPicker } from '../menu/picker.ts'
import { type ChatState, emptyChatState } from '../transcript/chat-state.ts'
import type { TranscriptItem } from '../transcript/transcript-item.ts'
import { chatFrame } from './chat-frame.ts'

useNoColours()

const view = { columns: 60, rows: 12, now: 0, hooks: [] }
const frame = (changes: Partial<ChatState>) => chatFrame({ ...emptyChatState, ...changes }, view)
const card = (id: string): TranscriptItem => ({
  kind: 'tool',
  id,
  name: id,
  args: {},
  status: 'running',
  startedAt: 0,
  done: false,
})

test('the input stands below what still happens, and the status below the input', () => {
  const { lines, cursor } = frame({ live: [card('look')], editor: editorWith('hi'), model: 'a-model', running: true })
  const at = lines.findIndex(line => line.startsWith('❯ hi'))
  expect(lines.findIndex(line => line.includes('look'))).toBeLessThan(at)
  expect(cursor).toEqual({ row: at, column: 4 })
  expect(lines.at(-1)).toContain('a-model')
})

test('live items that there is no room for are counted, and the frame is lower than the screen', () => {
  const { lines } = frame({ live: Array.from({ length: 20 }, (_, i) => card(`call${i}`)), running: true })
  expect(lines[0]).toMatch(/… \d+ more/)
  expect(lines.join('\n')).toContain('call19')
  expect(lines.length).toBeLessThan(view.rows)
})

test('a list to choose from takes the place of the input, with the cursor where one searches', () => {
  const picker = openPicker('Fruit', [{ id: 'pear', label: 'pear', detail: '' }], () => {})
  const { lines, cursor } = frame({ picker, editor: editorWith('hidden') })
  expect(cursor).toEqual({ row: lines.indexOf('Fruit '), column: 6 })
  expect(lines.join('\n')).toContain('pear')
  expect(lines.join('\n')).not.toContain('hidden')
})
