import { type Agent, block, type Conversation, type Middleware, middleware, rewind, stop } from 'turnbuckle'
import { agentOf, type Script, type Situation, saying } from './life.ts'

const situation = (
  name: string,
  fact: string,
  script: Script,
  use: () => readonly Middleware[],
  write: (chat: Conversation, agent: Agent) => Promise<unknown>,
): Situation => ({
  name,
  fact,
  agent: life => agentOf(life, script, { use: use() }),
  write: (agent, chat) => write(chat, agent),
})

const nothing = (): readonly Middleware[] => []

/** Counts calls in a state of the scope that its name says. */
export const counting = (scope: 'turn' | 'branch' | 'conversation'): Middleware =>
  middleware({
    name: `count-${scope}`,
    scope,
    state: { n: 0 },
    beforeTool: ctx => ctx.update(({ n }) => ({ n: n + 1 })),
    afterTool: ctx => ctx.update(({ n }) => ({ n: n + 1 })),
    afterTurn: ctx => ctx.emit({ type: 'count.told', scope, n: ctx.state.n }),
  })

const refusing = middleware({
  name: 'refusing',
  guard: true,
  beforeTool: ({ call }) => (call.id === 'call_forbidden' ? block('Not that.') : undefined),
  beforeTurn: ({ message }) =>
    message.content.some(part => part.type === 'text' && part.text === 'Stop.') ? stop('told to') : undefined,
})

const editor = middleware({
  name: 'editor',
  beforeStep(ctx) {
    const first = ctx.messages.at(0)
    if (ctx.step !== 1 || !first) return
    ctx.messages.replace(first.id, { role: 'user', content: 'Edited.' })
    ctx.messages.append({ role: 'user', content: 'Appended.' })
  },
})

const critic = middleware({
  name: 'critic',
  scope: 'conversation',
  state: { done: false },
  afterDecide(ctx) {
    if (ctx.goesOn || ctx.state.done) return
    ctx.update(() => ({ done: true }))
    return rewind(1, 'Try again.')
  },
})

const rewound: Script = (said, { messages }) => {
  if (messages.some(({ by }) => by === 'critic')) return 'Good.'
  return said ? 'Bad.' : { calls: ['a'] }
}

/** The first message on the path with this role. */
const firstOf = (chat: Conversation, role: string): string =>
  chat.messages.find(message => message.role === role)?.id ?? ''

async function branch(chat: Conversation): Promise<void> {
  await chat.send('First.')
  const asked = firstOf(chat, 'user')
  await chat.fork(asked).send('Otherwise.')
  await chat.fork(null).send('From the beginning.')
  await chat.send('Second.')
  await chat.checkout(asked)
  await chat.send('Third.')
}

async function hide(chat: Conversation): Promise<void> {
  await chat.send('Keep this.')
  await chat.send('A secret word.')
  const hidden = chat.messages.findLast(({ role }) => role === 'user')?.id
  await chat.emit({ type: 'message.hidden', messageId: hidden })
}

async function endInAllWays(chat: Conversation): Promise<void> {
  await chat.send('Look, then note.', { tag: { key: 'k1' } })
  await chat.send('Now what is forbidden, and what fails.')
  await chat.send('Stop.')
  await chat.send('Last.', { signal: AbortSignal.abort('changed my mind') }).settled
}

const named = situation('titled', 'a conversation with a title and an owner', saying('Hello.'), nothing, async chat => {
  await chat.send('Hi.')
  chat.title = 'A title'
  await chat.kept()
})

/** Conversations whose turns have all ended. */
export const finishedSituations: readonly Situation[] = [
  situation(
    'finished',
    'turns that have ended, with tools, decisions, usage and cost',
    saying(
      { text: 'Let me look.', calls: ['look', 'a'] },
      'Noted.',
      { calls: ['forbidden', 'fail'] },
      'Neither worked.',
    ),
    () => [refusing],
    endInAllWays,
  ),
  situation('branches', 'branches, and a head that was moved', saying('One.', 'Two.', 'Three.'), nothing, branch),
  situation(
    'edited',
    'a history that a hook has edited',
    saying({ calls: ['a'] }, 'Done.'),
    () => [editor],
    chat => chat.send('Go.').settled,
  ),
  situation(
    'rewound',
    'a turn that was rewound',
    rewound,
    () => [critic],
    chat => chat.send('Go.').settled,
  ),
  situation('made-up', 'results that a fork made up', saying({ calls: ['a', 'b'] }, 'Done.'), nothing, async chat => {
    await chat.send('Go.')
    await chat.fork(firstOf(chat, 'assistant')).send('Without them.')
  }),
  situation('hidden', 'hidden messages', saying('Kept.', 'Hushed.'), nothing, hide),
  { ...named, owner: 'ada' },
  situation(
    'states',
    'states of a turn, a branch and the conversation',
    saying({ calls: ['a', 'b'] }, 'Done.', { calls: ['look'] }, 'Done again.'),
    () => [counting('turn'), counting('branch'), counting('conversation')],
    async chat => {
      await chat.send('Go.')
      await chat.fork(firstOf(chat, 'user')).send('Otherwise.')
      await chat.send('More.')
    },
  ),
]
