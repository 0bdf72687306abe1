import { type Agent, type CreateAgentOptions, createAgent, middleware, replace, stop, textOf, tool } from 'turnbuckle'
import { retry } from 'turnbuckle/middleware'
import { scriptedModel } from 'turnbuckle/testing'
import type { EventBody } from '../src/core/events/events.ts'
import type { ReadyMadeEvents } from '../src/core/events/ready-made-events.ts'

/** Without those that other tests declare. */
type EventType = EventBody['type'] | keyof ReadyMadeEvents

/** Every type of event, and whether a log keeps it. Closed: a new type is a type error until it is here, and told below. */
export const isKept: Readonly<Record<EventType, boolean>> = {
  'turn.started': true,
  'turn.completed': true,
  'turn.stopped': true,
  'turn.failed': true,
  'turn.interrupted': true,
  'turn.parked': false,
  'message.started': true,
  'message.delta': false,
  'message.text': false,
  'message.added': true,
  'message.discarded': true,
  'message.replaced': true,
  'model.warning': true,
  'tool.delta': false,
  'tool.text': false,
  'tool.pending': true,
  'tool.executing': true,
  'tool.progress': true,
  'tool.completed': true,
  'tool.failed': true,
  'tool.late': true,
  'agent.event': false,
  'request.opened': true,
  'request.answered': true,
  'request.expired': true,
  'interjection.queued': true,
  'interjection.withdrawn': true,
  'interjection.applied': true,
  'history.edited': true,
  'head.moved': true,
  'title.changed': true,
  'hook.failed': true,
  'middleware.changed': true,
  usage: true,
  'usage.call': true,
  'log.refused': false,
  'agent.started': true,
  'cache.hit': true,
  'claude.notice': true,
  'critic.judged': true,
  'explore.chosen': true,
  'fallback.used': true,
  'plan.step': true,
  'plan.ready': true,
  'prompt.halved': true,
  'rate.waiting': true,
  'retry.waiting': true,
  'todo.changed': true,
  'usage.estimated': true,
}

/** Values that JSON says otherwise, or not at all. */
const odd = {
  to: undefined,
  from: new Date(0),
  nested: { parentId: undefined, list: [undefined, Number.NaN] },
  map: new Map([['a', 1]]),
  big: 1n,
  bytes: new Uint8Array([1, 2]),
}

const busy = Object.assign(new Error('busy'), { status: 503 })
const refused = Object.assign(new Error('no'), { status: 400 })
const usage = { inputTokens: 3, outputTokens: 4 }

/** What the hooks do, by what the person says. */
const tells = middleware({
  name: 'tells',
  async beforeInput(ctx) {
    const said = textOf(ctx.message)
    if (said === 'stop') return stop('enough')
    if (said !== 'all') return undefined
    for (const type of Object.keys(isKept) as EventType[])
      if (isReadyMade(type)) ctx.emit({ type: type as `own.${string}`, ...odd })
    ctx.emit({ type: 'own.event', ...odd })
    await ctx.ask('clarification', { question: 'Well?', ...odd })
    await ctx.ask('clarification', {}, { timeout: 1 }).catch(() => {})
    return undefined
  },
  beforeModel(ctx) {
    if (ctx.step === 1) ctx.messages.append({ role: 'user', content: [{ type: 'text', text: 'By the way.' }] })
  },
  afterTools: ctx => (ctx.results.length > 1 ? replace([ctx.results[0], 'corrected']) : undefined),
  onEvent(event) {
    if ((event.type as string) === 'own.event') throw new Error('cannot hear it')
  },
})

const isReadyMade = (type: EventType): boolean =>
  /^(agent\.started|cache|critic|explore|fallback|plan|prompt|rate|retry|todo|claude)/.test(type) ||
  type === 'usage.estimated'

/** An agent that can tell every event that a log keeps. */
export function everyEventAgent(options: Pick<CreateAgentOptions, 'store'>): Agent {
  let settle: () => void = () => {}
  const works = tool({
    name: 'works',
    run(_args, ctx) {
      ctx.emit({ type: 'tool.progress', ...odd })
      ctx.interject('Psst.')
    },
  })
  const fails = tool({
    name: 'fails',
    run() {
      throw new Error('broken')
    },
  })
  const hangs = tool({ name: 'hangs', run: () => new Promise<void>(resolve => (settle = resolve)) })
  const model = scriptedModel([
    {
      chunks: [
        { type: 'warning', text: 'too warm' },
        { type: 'text', text: 'Half' },
        { type: 'usage', ...usage },
      ],
      error: busy,
    },
    { text: 'Calling.', calls: [{ name: 'works' }, { name: 'fails', args: { to: null } }], usage },
    { text: 'Done.', usage },
    { error: refused },
    { text: 'Waiting.', calls: [{ name: 'hangs' }] },
  ])
  const own = middleware({ name: 'late', onEvent: event => void (event.type === 'turn.interrupted' && settle()) })
  return createAgent({ ...options, model, tools: [works, fails, hangs], use: [retry({ baseMs: 0 }), tells, own] })
}

/** Has turns of a conversation, and does around them what people do. Resolves when the log has all of it. */
export async function tellEveryEvent(agent: Agent, id: string): Promise<void> {
  const chat = agent.conversation(id)
  const off = chat.subscribe(event => {
    if (event.type === 'request.opened' && 'question' in (event.payload as object))
      chat.answer(event.requestId, { text: 'Yes.', ...odd })
  })
  await chat.send('all').settled
  await chat.send('stop').settled
  await chat.send('fail').settled
  const turn = chat.send('hang')
  for await (const event of turn) {
    if (event.type !== 'tool.executing') continue
    turn.interject('Wait, no.')
    turn.takeBack()
    turn.interrupt('enough')
  }
  await turn.settled
  chat.title = 'All of it'
  agent.disable('late', id)
  await chat.checkout(chat.messages[0]?.id ?? '')
  await chat.kept()
  off()
}
