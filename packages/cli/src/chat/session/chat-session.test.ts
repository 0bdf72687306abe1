import { createAgent, type Middleware, middleware, textOf } from 'turnbuckle'
import { memoryStore } from 'turnbuckle/stores'
import { type ScriptedStep, scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import type { ComposedAgent } from '../../compose/compose-agent.ts'
import { FileVersions } from '../../compose/file-versions.ts'
import { editorWith } from '../editor/editor.ts'
import { ChatSession } from './chat-session.ts'
import { noTerminal } from './chat-terminal.ts'
import { isAllowed } from './is-allowed.ts'

function chat(
  steps: readonly ScriptedStep[],
  { use = [], now = Date.now }: { use?: Middleware[]; now?: () => number } = {},
) {
  const store = memoryStore()
  const model = scriptedModel([...steps])
  const agent = createAgent({ model, store, use })
  const composed = {
    agent,
    store,
    model: { id: 'scripted' },
    loaded: { root: '/project', user: {} },
    fileVersions: new FileVersions(store, '/project'),
    notices: ['Mind.'],
    sandboxNotice: { onNotice: () => {} },
  }
  const session = new ChatSession(composed as unknown as ComposedAgent, agent.conversation('conv_a'), now)
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
  await session.begin()
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
  expect(await store.entries('queue')).toEqual([[expect.stringMatching(/^conv_a\//), ['Second.']]])
  first.open()
  await until(session, ({ running, queue, past }) => !running && !queue.length && past.length === 4)
  expect(shown(session)).toEqual(['user: First.', 'reply: One.', 'user: Second.', 'reply: Two.'])
  expect(await store.entries('queue')).toEqual([])
})

test('what waits for the end of a turn that is stopped is in the input again, before what is written there, and is not sent', async () => {
  const { session, store } = chat([held('One.').step, 'Two.'])
  session.send('First.')
  session.send('Now this.')
  session.queue('Second.')
  session.queue('Third.')
  await until(session, ({ queue, view }) => queue.length === 2 && view.queued.length === 1)
  session.set({ editor: editorWith('Half a') })
  session.interrupt('Ctrl-C')
  await until(session, ({ running, editor }) => !running && editor.text !== 'Half a')
  expect(session.state).toMatchObject({ queue: [], editor: { text: 'Now this.\nSecond.\nThird.\nHalf a' } })
  expect(shown(session).at(-1)).toMatch(/You have stopped it: your message was not sent/)
  expect(shown(session).filter(text => text.startsWith('user'))).toEqual(['user: First.'])
  expect(await store.entries('queue')).toEqual([])
})

test('what is said while a turn is being stopped is sent after it', async () => {
  const { session } = chat(['Two.'])
  session.send('First.')
  session.interrupt('Ctrl-C')
  session.send('Not so, but so.')
  await until(session, ({ running, past }) => !running && past.at(-1)?.kind === 'reply')
  expect(shown(session)).toEqual([
    'user: First.',
    'notice: Interrupted. What was shown stays; go on typing.',
    'user: Not so, but so.',
    'reply: Two.',
  ])
})

test('what waits stays in the store when its person leaves, and is in the input when they come back', async () => {
  const { session, store } = chat([held('One.').step, 'Two.'])
  session.send('First.')
  session.queue('Second.')
  await until(session, ({ queue }) => queue.length === 1)
  session.interrupt('Ctrl-C')
  await session.leave()
  await atRest(session)
  expect(await store.entries('queue')).toEqual([[expect.stringMatching(/^conv_a\//), ['Second.']]])
  expect([session.state.running, session.state.editor.text]).toEqual([false, ''])
  await session.open(session.conversation)
  expect(session.state).toMatchObject({ queue: [], editor: { text: 'Second.' } })
})

test('what is said when the turn has just ended and the log has its end not yet starts the next turn after it', async () => {
  const [second, third] = [held('Two.'), held('Three.')]
  const { session } = chat(['One.', second.step, third.step])
  const stop = session.conversation.subscribe(({ type }) => {
    if (type !== 'turn.completed') return
    stop()
    session.send('Second.')
    session.queue('Third.')
  })
  session.send('First.')
  await session.turn?.settled
  await until(session, ({ past }) => past.some(item => 'text' in item && item.text === 'Second.'))
  expect(session.state).toMatchObject({ running: true, activity: 'thinking', queue: ['Third.'] })
  second.open()
  third.open()
  await until(session, ({ running, past }) => !running && past.length === 6)
  expect(shown(session)).toEqual([
    'user: First.',
    'reply: One.',
    'user: Second.',
    'reply: Two.',
    'user: Third.',
    'reply: Three.',
  ])
})

test('a message to a running turn is said to it', async () => {
  const first = held('One.')
  const { session } = chat([first.step, 'Two.'])
  session.send('First.')
  session.send('Now this.')
  await until(session, ({ view }) => view.queued[0]?.text === 'Now this.')
  first.open()
  await atRest(session)
  expect(session.state.view.queued).toEqual([])
  expect(session.conversation.tree.filter(({ message }) => message.role === 'user')).toHaveLength(2)
})

test('a message that the running turn has not heard is taken back as it was written, the last first', async () => {
  const first = held('One.')
  const { session } = chat([first.step, 'Two.'])
  session.send('First.')
  session.send('Now this.')
  session.tellLater('I ran a command.')
  session.send('And that.')
  session.queue('Afterwards.')
  await until(session, ({ view }) => view.queued.length === 2)
  expect([session.takeBack(), session.takeBack()]).toEqual(['Afterwards.', 'And that.'])
  await until(session, ({ view }) => view.queued.length === 1)
  expect(session.state.view.queued).toMatchObject([{ text: 'Now this.' }])
  session.send('Something else.')
  first.open()
  await atRest(session)
  const said = session.conversation.messages.filter(({ role }) => role === 'user').map(textOf)
  expect(said).toEqual(['First.', 'Now this.', 'Something else.\n\nI ran a command.'])
  expect(session.takeBack()).toBeUndefined()
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

/** A chat whose turn takes so many seconds; how often the bell rang. */
async function rung(seconds: number, use: Middleware[] = []) {
  let time = 0
  const first = held('One.')
  const { session } = chat([first.step], { use, now: () => time })
  let times = 0
  session.terminal = { ...noTerminal, ring: () => times++ }
  session.send('Go.')
  time = seconds * 1000
  first.open()
  return { session, times: () => times }
}

test('the bell rings when a turn of more than 15 seconds ends, and not after a shorter one', async () => {
  const long = await rung(16)
  await atRest(long.session)
  const short = await rung(14)
  await atRest(short.session)
  expect([long.times(), short.times()]).toEqual([1, 0])
})

test('the bell rings when a turn of more than 15 seconds asks', async () => {
  const asking = middleware({
    name: 'asking',
    afterModel: async ctx => void (await ctx.ask('text', { question: 'Which?' }, { fallback: '', timeout: Infinity })),
  })
  const { session, times } = await rung(16, [asking])
  await until(session, ({ questions }) => questions.length === 1)
  expect(times()).toBe(1)
  session.interrupt('enough')
  await atRest(session)
})
