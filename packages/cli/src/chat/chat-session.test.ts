import { createAgent } from 'turnbuckle'
import { memoryStore } from 'turnbuckle/stores'
import { type ScriptedStep, scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import type { ComposedAgent } from '../compose/compose-agent.ts'
import { ChatSession, isAllowed } from './chat-session.ts'

function chat(steps: readonly ScriptedStep[]) {
  const store = memoryStore()
  const model = scriptedModel([...steps])
  const agent = createAgent({ model, store })
  const composed = {
    agent,
    store,
    model: { id: 'scripted' },
    loaded: { root: '/project', user: {} },
    notices: ['Mind.'],
  }
  const session = new ChatSession(composed as unknown as ComposedAgent, agent.conversation('conv_a'))
  return { session, store, model }
}
/** Resolves when the session's state is as wanted. */
const until = (session: ChatSession, wanted: (state: ChatSession['state']) => boolean) =>
  new Promise<void>(resolve => {
    const look = () => {
      if (!wanted(session.state)) return
      stop()
      resolve()
    }
    const stop = session.subscribe(look)
    look()
  })
const atRest = (session: ChatSession) => until(session, ({ running }) => !running)
const shown = ({ state }: ChatSession) => state.past.map(item => `${item.kind}: ${'text' in item ? item.text : ''}`)
/** A reply that is given when `open` is called. */
function held(text: string) {
  let open = () => {}
  const opened = new Promise<void>(resolve => {
    open = resolve
  })
  return { open: () => open(), step: async () => opened.then(() => text) }
}

test('a chat begins with its notices, then shows messages and replies in order', async () => {
  const { session } = chat(['Hello.'])
  session.begin()
  session.send('Hi.')
  await atRest(session)
  expect(shown(session)).toEqual([
    'notice: Turnbuckle · scripted · /project',
    'notice: Mind.',
    'user: Hi.',
    'reply: Hello.',
  ])
  expect(session.state).toMatchObject({ live: [], activity: '' })
})

test('a queued message is kept in the store, and sent when the turn has ended', async () => {
  const first = held('One.')
  const { session, store } = chat([first.step, 'Two.'])
  session.send('First.')
  session.queue('Second.')
  expect(await store.get('queue', 'conv_a')).toEqual(['Second.'])
  first.open()
  await until(session, ({ running, queue, past }) => !running && !queue.length && past.length === 4)
  expect(shown(session)).toEqual(['user: First.', 'reply: One.', 'user: Second.', 'reply: Two.'])
  expect(await store.get('queue', 'conv_a')).toEqual([])
})

test('a message to a running turn is said to it', async () => {
  const first = held('One.')
  const { session } = chat([first.step, 'Two.'])
  session.send('First.')
  session.send('Now this.')
  await until(session, ({ past }) => past.some(item => item.kind === 'notice'))
  first.open()
  await atRest(session)
  expect(shown(session)).toContain('notice: ↳ Now this. (after the current step)')
  expect(session.conversation.tree.filter(({ message }) => message.role === 'user')).toHaveLength(2)
})

test('an interrupted turn says so', async () => {
  const { session } = chat([held('Never.').step])
  session.send('Go.')
  session.interrupt('Esc Esc')
  await atRest(session)
  expect(shown(session).at(-1)).toBe('notice: Interrupted. What was shown stays; go on typing.')
})

test('a question of the chat is closed by its answer', () => {
  const { session } = chat([])
  const answers: boolean[] = []
  session.ask({ kind: 'yes-no', title: 'Sure?', body: '' }, given => answers.push(isAllowed(given)))
  const [question] = session.state.questions
  if (!question) throw new Error('nothing was asked')
  session.answer(question, { decision: 'allow' })
  expect([answers, session.state.questions]).toEqual([[true], []])
})

test('redrawing shows the path to the head in a new epoch', async () => {
  const { session } = chat(['Hello.'])
  session.send('Hi.')
  await atRest(session)
  session.say('A notice.')
  const { epoch } = session.state
  session.redraw()
  expect(shown(session)).toEqual(['user: Hi.', 'reply: Hello.'])
  expect(session.state.epoch).toBe(epoch + 1)
})
