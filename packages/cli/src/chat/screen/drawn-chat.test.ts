import { createAgent, type Event } from 'turnbuckle'
import { memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import type { ComposedAgent } from '../../compose/compose-agent.ts'
import { FileVersions } from '../../compose/file-versions.ts'
import { editorWith } from '../editor/editor.ts'
import { ChatSession } from '../session/chat-session.ts'
import { EventFrames } from '../session/event-frames.ts'
import { DrawnChat } from './drawn-chat.ts'

function drawn() {
  const store = memoryStore()
  const agent = createAgent({ model: scriptedModel([]), store })
  const composed = {
    agent,
    store,
    model: { id: 'scripted' },
    loaded: { root: '/project', user: {} },
    fileVersions: new FileVersions(store, '/project'),
    traces: { running: { names: [] } },
    configured: [],
  }
  const session = new ChatSession(composed as unknown as ComposedAgent, agent.conversation('conv_a'))
  const sent: string[] = []
  const out = { columns: 80, rows: 24, refresh() {}, send: (sequences: string) => void sent.push(sequences) }
  const chat = new DrawnChat(session, out)
  sent.length = 0
  return { session, sent, chat }
}
const turnOfTheLoop = () => new Promise(resolve => setImmediate(resolve))

test('a key shows in the next frame while a reply streams, and a thousand deltas cost no frame of their own', async () => {
  const { session, sent, chat } = drawn()
  const frames = new EventFrames(session, async () => {})
  const delta = (text: string) =>
    ({ type: 'message.delta', messageId: 'msg_a', kind: 'text', text, at: 1 }) as unknown as Event
  for (let i = 0; i < 1000; i++) frames.hear(delta('word '))
  session.set({ editor: editorWith('typed') })
  for (let i = 0; i < 1000; i++) frames.hear(delta('word '))
  await turnOfTheLoop()
  expect(sent).toHaveLength(1)
  expect(sent[0]).toContain('typed')
  chat.close()
})

test('a frame that has not changed is not sent again', async () => {
  const { session, sent, chat } = drawn()
  session.set({ hint: session.state.hint })
  await turnOfTheLoop()
  expect(sent).toEqual([])
  chat.close()
})

test('nothing is drawn while an editor has the terminal; then all of it', async () => {
  const { session, sent, chat } = drawn()
  chat.clear()
  sent.length = 0
  session.say('The turn goes on.')
  await turnOfTheLoop()
  expect(sent).toEqual([])
  chat.redraw()
  expect(sent.join('')).toContain('The turn goes on.')
  chat.close()
})
