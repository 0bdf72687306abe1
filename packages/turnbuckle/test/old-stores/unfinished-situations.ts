import {
  type AfterDirectives,
  again,
  agentTool,
  type CreateAgentOptions,
  createAgent,
  type Directive,
  goto,
  type Middleware,
  middleware,
  rewind,
  type Snapshot,
} from 'turnbuckle'
import { approval } from 'turnbuckle/middleware'
import { counting } from './finished-situations.ts'
import { agentOf, type Life, modelOf, type Script, type Situation, saying, toolOf } from './life.ts'

interface Unfinished {
  readonly fact: string
  readonly script: Script
  readonly dies: NonNullable<Situation['dies']>
  readonly options?: (life: Life) => Partial<CreateAgentOptions>
}

const unfinished = (name: string, { fact, script, dies, options }: Unfinished): Situation => ({
  name,
  fact,
  dies,
  agent: life => agentOf(life, script, options?.(life)),
  write: (_agent, chat) => chat.send('Go.').settled,
})

const using =
  (...make: readonly ((life: Life) => Middleware)[]) =>
  (life: Life): Partial<CreateAgentOptions> => ({ use: make.map(one => one(life)) })

const twoCalls = saying({ text: 'Two things.', calls: ['a', 'b'] }, 'Both done.')
const oneCall = saying({ text: 'One thing.', calls: ['a'] }, 'It is done.')
const isQuestion: Situation['dies'] = ({ type }) => type === 'request.opened'
const asking = using(() => approval({ allow: ['look'] }))

const interjected = (name: string, fact: string, options?: Unfinished['options']): Situation => ({
  ...unfinished(name, { fact, script: twoCalls, dies: 'tool a', ...(options ? { options } : {}) }),
  async write(_agent, chat) {
    const turn = chat.send('Go.')
    for await (const { type } of turn) if (type === 'tool.executing') break
    turn.interject('And this.')
    turn.interject('And that.')
  },
})

/** A redactor looks at messages first, so the texts of interjections are withheld. */
const redactor = (): Middleware =>
  middleware({
    name: 'redactor',
    beforeAppend(ctx) {
      if (ctx.message.role === 'user') ctx.message = { ...ctx.message, content: [{ type: 'text', text: '(redacted)' }] }
    },
  })

/** Before hooks of every stage around a call leave something: a state, a shared value and instructions. */
const preparing = (): Middleware =>
  middleware({
    name: 'preparing',
    scope: 'branch',
    state: { prepared: 0 },
    beforeStep: ctx => ctx.instruct('Be short.', { for: 'turn' }),
    beforeTool(ctx) {
      ctx.update(({ prepared }) => ({ prepared: prepared + 1 }))
      ctx.shared.set('seen', ['a', 1])
      ctx.instruct('Just this once.')
    },
    afterStep: ctx => ctx.emit({ type: 'prepared.told', seen: ctx.shared.get('seen'), step: ctx.step }),
  })

const dyingBeforeTools = (life: Life): Middleware =>
  middleware({ name: 'dying', beforeTools: () => life.reach('before hook') })

/** Its process dies in an after hook: the log has what the call gave, and not what the hooks say of it. */
const dyingAfterTool = (life: Life): Middleware =>
  middleware({
    name: 'dying',
    async afterTool(ctx) {
      await life.reach('after hook')
      ctx.emit({ type: 'dying.passed', callId: ctx.call.id })
    },
  })

type Choose = (ctx: { readonly shared: { get(key: string): unknown } }) => Directive<AfterDirectives>

/** Gives a directive behind the first of two calls. It is only noted while the second still runs, where the process dies. */
const directing = (choose: Choose) => (): Middleware =>
  middleware({
    name: 'directing',
    scope: 'conversation',
    state: { done: false },
    beforeTools: ctx => {
      ctx.shared.set('here', ctx.snapshot())
    },
    afterTool(ctx) {
      if (ctx.state.done || ctx.call.id !== 'call_a') return
      ctx.update(() => ({ done: true }))
      return choose(ctx)
    },
  })

const noted = (name: string, choose: Choose): Situation =>
  unfinished(`noted-${name}`, {
    fact: `a turn that died with a directive noted, ${name}`,
    script: saying({ calls: ['a', 'look'] }, 'Both done.'),
    dies: 'tool look',
    options: using(directing(choose)),
  })

/** A sub-agent on the same store; its own call is not idempotent. */
function helped(life: Life): Partial<CreateAgentOptions> {
  const { store, clock, ids } = life
  const model = modelOf(life, saying({ text: 'On it.', calls: ['inner'] }, 'Helped.'))
  const tools = [toolOf(life, 'note')]
  const helper = createAgent({ name: 'helper', model, tools, store, clock, ids, breaker: false })
  return { tools: [agentTool<{ line: string }>(helper, { name: 'helper', schema: {}, prompt: () => 'Help.' })] }
}

const parked: Situation = {
  name: 'parked',
  // The call must not end before the agent is closed.
  dies: 'tool a',
  fact: 'a turn that was parked when its agent was closed',
  agent: life => agentOf(life, oneCall, { use: [counting('branch')] }),
  async write(agent, chat) {
    const turn = chat.send('Go.')
    for await (const { type } of turn) if (type === 'tool.executing') break
    await agent.close()
  },
}

/** Conversations with a turn that its process has left unfinished. */
export const unfinishedSituations: readonly Situation[] = [
  unfinished('before-model', {
    fact: 'a turn that died before the model said anything',
    script: oneCall,
    dies: 'model',
  }),
  unfinished('mid-reply', {
    fact: 'a turn that died in the middle of a streamed reply',
    script: said =>
      said ? 'Done.' : { chunks: ['I am ', 'saying ', 'some', 'thing.'].map(text => ({ type: 'text', text })) },
    dies: 'reply',
  }),
  unfinished('before-tool', {
    fact: 'a turn that died between the reply and its call',
    script: oneCall,
    dies: 'before hook',
    options: using(dyingBeforeTools),
  }),
  unfinished('in-tool', { fact: 'a turn that died in a call that is not idempotent', script: oneCall, dies: 'tool a' }),
  unfinished('in-idempotent-tool', {
    fact: 'a turn that died in an idempotent call',
    script: saying({ calls: ['look'] }, 'Seen.'),
    dies: 'tool look',
  }),
  unfinished('asked', {
    fact: 'a turn that died with an open permission request',
    script: twoCalls,
    dies: isQuestion,
    options: asking,
  }),
  {
    ...unfinished('answered', {
      fact: 'a turn that died with an open permission request, which another process has answered',
      script: oneCall,
      dies: isQuestion,
      options: asking,
    }),
    async afterwards(chat) {
      for (const { id } of chat.requests) await chat.answer(id, { decision: 'allow', scope: 'once' })
    },
  },
  unfinished('half-batch', {
    fact: 'a turn that died between two results of a batch',
    script: twoCalls,
    dies: 'tool b',
    options: () => ({ parallelTools: 1 }),
  }),
  unfinished('before-hooks', {
    fact: 'a turn that died behind its before hooks, with shared values, states and instructions',
    script: oneCall,
    dies: 'tool a',
    options: using(
      preparing,
      () => counting('turn'),
      () => counting('conversation'),
    ),
  }),
  unfinished('after-hooks', {
    fact: 'a turn that died in the after hooks of a call',
    script: oneCall,
    dies: 'after hook',
    options: using(preparing, dyingAfterTool),
  }),
  noted('again', () => again('Once more.')),
  noted('rewind', ctx => rewind(ctx.shared.get('here') as Snapshot, 'From here.')),
  noted('goto', () => goto('decide')),
  interjected('interjected', 'a turn that died with interjections queued'),
  interjected('withheld', 'a turn that died with withheld interjections queued', using(redactor)),
  unfinished('sub-agent', {
    fact: 'a turn that died in a call of its sub-agent',
    script: saying({ calls: ['a', 'help'] }, 'Done.'),
    dies: 'tool inner',
    options: helped,
  }),
  parked,
]
