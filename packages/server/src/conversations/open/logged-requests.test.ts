import type { Event } from 'turnbuckle'
import { ConversationView } from 'turnbuckle/client'
import { expect, test } from 'vitest'
import { LoggedRequests } from './logged-requests.ts'

const common = { conversationId: 'c', at: 1, turnId: 't' }
const opened = (requestId: string, to?: readonly string[]) => ({
  ...common,
  type: 'request.opened',
  requestId,
  by: 'asks',
  kind: 'permission',
  payload: {},
  ...(to ? { to } : {}),
})

function requests(...events: readonly object[]): LoggedRequests {
  const view = ConversationView.ofLog('c')
  const started = { ...common, type: 'turn.started', parentId: undefined }
  for (const [i, event] of [started, ...events].entries()) view.apply({ ...event, seq: i + 1 } as Event)
  return new LoggedRequests(view, 'ada')
}

test('a request is open until it is answered, and then refuses with the decision', () => {
  const open = requests(opened('a'))
  expect(open.open('a')).toMatchObject({ id: 'a', kind: 'permission' })
  expect(() => open.checkOpen('a')).not.toThrow()
  const answered = { ...common, type: 'request.answered', requestId: 'a', decision: 'yes', by: 'ada' }
  const closed = requests(opened('a'), answered)
  expect(closed.open('a')).toBeUndefined()
  expect([...closed.ids]).toEqual(['a'])
  expect(() => closed.checkOpen('a')).toThrow(expect.objectContaining({ code: 'request.answered', cause: 'yes' }))
})

test('a request that names people is for them and the owner; one that names none is for those who talk', () => {
  const asked = requests(opened('named', ['bob']), opened('all'))
  expect([...asked.askedPeople]).toEqual(['bob'])
  expect(asked.to('bob').map(({ id }) => id)).toEqual(['named'])
  expect(asked.to('eve')).toEqual([])
  expect(['ada', 'bob', 'eve'].map(person => asked.mayAnswer('named', person, true))).toEqual([true, true, false])
  expect([asked.mayAnswer('all', 'eve', true), asked.mayAnswer('all', 'eve', false)]).toEqual([true, false])
})
