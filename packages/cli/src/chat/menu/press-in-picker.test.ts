import { expect, test } from 'vitest'
import type { KeyPress } from '../input/key-press.ts'
import type { ChatSession } from '../session/chat-session.ts'
import { openPicker, type Picker } from './picker.ts'
import { pressInPicker } from './press-in-picker.ts'

const items = ['apple', 'pear', 'plum'].map(id => ({ id, label: id, detail: '' }))

/** A picker after keys, and what was taken. */
function press(...keys: (KeyPress['name'] | { text: string })[]) {
  const taken: string[] = []
  const session = {
    state: { picker: openPicker('Fruit', items, id => taken.push(id), 'pear') as Picker | undefined },
    set(change: { picker: Picker | undefined }) {
      session.state = change
    },
  }
  for (const key of keys) {
    const { picker } = session.state
    const pressed = typeof key === 'string' ? { name: key, text: '' } : ({ name: 'text', text: key.text } as const)
    if (picker) pressInPicker(session as unknown as ChatSession, picker, pressed)
  }
  return { taken, picker: session.state.picker }
}

test('it opens at the present one; arrows walk and stop at the ends', () => {
  expect(press('enter').taken).toEqual(['pear'])
  expect(press('down', 'down', 'down', 'enter').taken).toEqual(['plum'])
  expect(press('home', 'up', 'enter').taken).toEqual(['apple'])
})

test('letters search, backspace takes one away, Esc leaves', () => {
  expect(press({ text: 'pl' }).picker).toMatchObject({ query: 'pl', items: [{ id: 'plum' }, { id: 'apple' }] })
  expect(press({ text: 'px' }, 'backspace').picker?.query).toBe('p')
  expect(press({ text: 'x' }, 'backspace', 'backspace').picker?.items).toHaveLength(3)
  expect(press('escape').picker).toBeUndefined()
})

test('Enter where nothing fits takes nothing', () => {
  const { taken, picker } = press({ text: 'zzz' }, 'enter')
  expect(taken).toEqual([])
  expect(picker?.items).toEqual([])
})
