import type { Event } from 'turnbuckle'
import { applyEvent } from 'turnbuckle/client'
import { expect, test } from 'vitest'
import { localPerson } from '../../settings/local-person.ts'
import { emptyView } from './recorded-view.ts'
import type { ReplyItem, ToolItem } from './transcript-item.ts'
import { viewItem } from './view-item.ts'

const view = (...events: readonly object[]) =>
  events
    .map(event => ({ turnId: 't', conversationId: 'c', at: 1000, ...event }) as unknown as Event)
    .reduce(applyEvent, emptyView)
const reply: ReplyItem = { kind: 'reply', id: 'm', text: 'before', reasoning: '', done: false }
const call: ToolItem = {
  kind: 'tool',
  id: 'c',
  turnId: 't',
  name: 'n',
  args: { x: 1 },
  status: 'waiting',
  startedAt: 5,
  done: false,
}
const [pending, executing] = ['tool.pending', 'tool.executing'].map(type => ({
  type,
  callId: 'c',
  name: 'n',
  args: { x: 2 },
}))
const completed = { type: 'tool.completed', callId: 'c', name: 'n', status: 'ok', result: 'r', durationMs: 0 }

test('a reply has the text of the view, and is done when its message is recorded', () => {
  const text = { type: 'message.delta', messageId: 'm', text: 'new', offset: 0 }
  expect(viewItem(view(text), reply, 0)).toEqual({ ...reply, text: 'new' })
  const message = { id: 'm', role: 'assistant', content: [{ type: 'text', text: 'whole' }] }
  expect(viewItem(view(text, { type: 'message.added', messageId: 'm', message }), reply, 0)).toMatchObject({
    text: 'whole',
    done: true,
  })
})

test('a reply or a call that the view does not have stays as it is', () => {
  expect(viewItem(emptyView, reply, 0)).toEqual(reply)
  expect(viewItem(view({ ...executing, turnId: 'other' }), call, 0)).toEqual(call)
})

test('a call waits with its own arguments and runs with those of the view', () => {
  expect(viewItem(view(pending as object), call, 0)).toEqual(call)
  expect(viewItem(view(pending as object, executing as object), call, 0)).toEqual({
    ...call,
    status: 'running',
    args: { x: 2 },
    startedAt: 1000,
  })
})

test('a call that ran has a duration, one that was denied while it waited has none', () => {
  const running: ToolItem = { ...call, status: 'running', startedAt: 1000 }
  expect(viewItem(view(executing as object, completed), running, 1250)).toMatchObject({
    done: true,
    result: 'r',
    durationMs: 250,
  })
  expect(viewItem(view(pending as object, completed), call, 1250)).not.toHaveProperty('durationMs')
})

test('a call whose outcome is asked about is unknown, and not done', () => {
  const asked = { type: 'request.opened', requestId: 'r', kind: 'outcome', payload: { id: 'c' } }
  expect(viewItem(view(executing as object, asked), call, 0)).toMatchObject({ status: 'unknown', done: false })
})

test.each([
  { told: { done: 1, total: 2 }, progress: '▓▓▓▓▓░░░░░ 1/2' },
  { told: { done: 9, total: 2 }, progress: '▓▓▓▓▓▓▓▓▓▓ 9/2' },
  { told: { text: 'half\nway' }, progress: 'half\nway' },
  { told: { progress: 3, total: 6, message: 'third step' }, progress: '▓▓▓▓▓░░░░░ 3/6 third step' },
  { told: { progress: 3 }, progress: '3' },
])('progress $told is $progress', ({ told, progress }) => {
  const event = { type: 'tool.progress', callId: 'c', name: 'n', ...told }
  expect(viewItem(view(executing as object, event), call, 0)).toMatchObject({ progress })
})

test('a call has who answered whether it may run, where that was somebody else', () => {
  const opened = { type: 'request.opened', requestId: 'r', kind: 'permission', payload: { id: 'c', name: 'n' } }
  const answered = { type: 'request.answered', requestId: 'r', kind: 'permission', decision: { decision: 'allow' } }
  const shown = (by: string) => viewItem(view(pending as object, opened, { ...answered, by }), call, 0)
  expect(shown('ada of elsewhere')).toMatchObject({ answered: 'allowed by ada of elsewhere' })
  expect(shown(localPerson())).not.toHaveProperty('answered')
})
