import type { Conversation, Event, Request, Turn } from 'turnbuckle'
import { type Life, refusal } from './life.ts'
import type { PersonPlan } from './program.ts'

/** A conversation with the turn that runs in it. */
export interface Scene {
  readonly life: Life
  readonly chat: Conversation
  readonly turn: Turn
  readonly controller: AbortController
  /** Follows a second turn to its end. */
  readonly follow: (turn: Turn, what: string) => void
}

type Deed = (scene: Scene, pick: number) => unknown

const answerAll =
  (answer: unknown): Deed =>
  ({ chat, life }) => {
    const [first, ...others] = chat.requests
    const give = ({ id, kind }: Request) => {
      const given = kind === 'outcome' ? { outcome: 'happened' } : answer
      chat.answer(id, given)?.catch(() => {})
    }
    if (first) give(first)
    // Two turns that go on in one instant do so in no particular order.
    for (const [i, request] of others.entries())
      life.world.after(3 + i, () => {
        if (!life.dead && chat.requests.some(({ id }) => id === request.id)) attempt(life, () => give(request))
      })
  }

const deeds: Readonly<Record<string, Deed>> = {
  interrupt: ({ turn }) => turn.interrupt('by a person'),
  breakIn: ({ turn }) => {
    turn.interject('Listen!')
    turn.interrupt('to be heard')
  },
  abort: ({ controller }) => controller.abort('away'),
  interject: ({ turn }, pick) => turn.interject(`And this: ${pick}.`),
  answer: answerAll({ decision: 'allow' }),
  deny: answerAll({ decision: 'deny', reason: 'no' }),
  edit: answerAll({ decision: 'allow', args: { x: 3 } }),
  answerTwice: ({ chat, turn }) => {
    const [first] = chat.requests
    if (!first) return
    turn.answer(first.id, { decision: 'allow' })?.catch(() => {})
    turn.answer(first.id, { decision: 'deny' })?.catch(() => {})
  },
  answerUnknown: ({ chat }) => chat.answer('unknown', { decision: 'allow' }),
  badAnswer: answerAll(undefined),
  expire: ({ turn, chat }) => {
    for (const { id } of chat.requests) turn.expire(id)
  },
  title: ({ chat }, pick) => {
    chat.title = `Title ${pick}`
  },
  emit: ({ chat }, pick) => chat.emit({ type: 'person.waved', pick })?.catch(() => {}),
  use: ({ life }) => {
    life.unuse ??= life.agent.use(life.spare())
  },
  unuse: ({ life }) => {
    life.unuse?.()
    life.unuse = undefined
  },
  disable: ({ life }, pick) => switched(life, pick, false),
  enable: ({ life }, pick) => switched(life, pick, true),
  beside: ({ chat, follow }, pick) => {
    const nodes = chat.tree
    follow(chat.fork(nodes[pick % Math.max(1, nodes.length)]?.id ?? null).send('Beside.'), 'beside')
  },
  checkout: ({ chat }, pick) => {
    const nodes = chat.tree
    return chat.checkout(nodes[pick % Math.max(1, nodes.length)]?.id ?? 'none')?.catch(() => {})
  },
  join: ({ turn, follow }) => follow(turn, 'joined'),
  delete: ({ chat }) => void chat.delete().catch(() => {}),
  close: ({ life }) => void life.agent.close().catch(() => {}),
  send: ({ chat, follow }) => follow(chat.send('At once.'), 'at once'),
}

function switched({ agent }: Life, pick: number, enabled: boolean): void {
  const one = agent.middleware[pick % Math.max(1, agent.middleware.length)]
  if (one) enabled ? agent.enable(one.name) : agent.disable(one.name)
}

/** Does what a person has planned, and tells when it is refused. */
export function act(scene: Scene, { does, pick }: PersonPlan): void {
  const { life } = scene
  if (life.dead) return
  life.say('person', does)
  attempt(life, () => deeds[does]?.(scene, pick), does)
}

function attempt(life: Life, deed: () => unknown, does = 'answer'): void {
  try {
    deed()
  } catch (error) {
    life.say('person', `${does} refused ${refusal(error)}`)
  }
}

/** Has people act when events are told and at their times. Returns what is to be called with each event. */
export function meddle(scene: Scene): (event: Event) => void {
  const { life } = scene
  const counts = new Map<string, number>()
  for (const plan of life.program.people) if ('ms' in plan.when) life.world.after(plan.when.ms, () => act(scene, plan))
  return ({ type }) => {
    const nth = (counts.get(type) ?? 0) + 1
    counts.set(type, nth)
    for (const plan of life.program.people)
      if ('event' in plan.when && plan.when.event === type && plan.when.nth === nth) act(scene, plan)
  }
}
