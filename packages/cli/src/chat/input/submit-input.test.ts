import { expect, test } from 'vitest'
import type { ChatSession } from '../session/chat-session.ts'
import { submitInput } from './submit-input.ts'

function submitted(text: string, later = false): readonly string[] {
  const done: string[] = []
  const session = {
    composed: { loaded: { root: '/nowhere', home: '/nowhere', user: {}, project: {} } },
    say: (said: string) => done.push(`notice ${said.split(/[.:]/)[0]}`),
    send: (said: string) => done.push(`sent ${said}`),
    queue: (said: string) => done.push(`queued ${said}`),
  }
  submitInput(session as unknown as ChatSession, text, later)
  return done
}

test.each([
  { text: 'hello', does: 'sent hello' },
  { text: 'hello', later: true, does: 'queued hello' },
  { text: '/nothing', does: 'notice There is no /nothing' },
  { text: '/usr/bin is full', does: 'sent /usr/bin is full' },
  { text: '#remember', does: 'notice The note could not be written' },
  { text: '## A heading', does: 'sent ## A heading' },
  { text: '# A text\nof two lines', does: 'sent # A text\nof two lines' },
  { text: '!', does: 'sent !' },
])('$text: $does', ({ text, later, does }) => {
  expect(submitted(text, later)).toEqual([does])
})
