import { createElement, type ReactNode } from 'react'
import { expect, test } from 'vitest'
import { node } from '../../test/conversation.ts'
import { draw } from '../../test/draw.ts'
import { ReadOnlyContext } from '../share/read-only.ts'
import { UserMessage } from './user-message.tsx'

const message = node('m', null, { text: 'Hello.' })
const shown = (isReadOnly = false, given = message) =>
  draw(
    (): ReactNode =>
      createElement(ReadOnlyContext, { value: isReadOnly }, createElement(UserMessage, { node: given, siblings: 1 })),
    {},
  )

test('a message can be copied and edited; on a shared page only copied', () => {
  expect(shown()).toMatch(/aria-label="You said".*Hello\..*aria-label="Copy".*Edit and send again/s)
  expect(shown(true)).not.toContain('Edit and send again')
})

test('another person’s message says whose it is', () => {
  const theirs = { ...message, message: { ...message.message, by: 'bob' } }
  expect(shown(false, theirs)).toMatch(/aria-label="Said by bob".*<p class="by">bob/s)
})

test('while a message is edited its files stay in sight', () => {
  const file = { type: 'file', data: 'data:text/plain,hi', mediaType: 'text/plain', name: 'notes.txt' }
  const given = { ...message, message: { ...message.message, content: [...message.message.content, file] } } as never
  const edits = { m: { text: 'Hello again.', isOnItsWay: false } }
  const html = draw(UserMessage, { node: given, siblings: 1 }, { edits })
  expect(html).toMatch(/notes\.txt.*aria-label="Edit your message"/s)
})
