import type { Decision, Event, OpenSpan, TurnStatus } from 'turnbuckle'
import { type ConversationState, ConversationView } from 'turnbuckle/client'
import type { DrawnAgent, Problem, Told, ToldSpan } from '../run/protocol.ts'

/** A line of the chat, in the order in which it appeared. Results stand with their calls. */
export type Entry =
  | { readonly kind: 'message'; readonly id: string }
  | { readonly kind: 'withdrawn'; readonly id: string; readonly text: string; readonly reason: string }
  | { readonly kind: 'answered'; readonly id: string; readonly text: string }
  | { readonly kind: 'ended'; readonly id: string; readonly event: TurnEnd }

type TurnEnd = Extract<Event, { outcome: unknown }>

/** A hook that has run in this turn: how often, and the directive that it returned last. */
export interface HookMark {
  readonly count: number
  readonly directive?: string
  readonly reason?: string
  readonly error?: string
}

/** All that the page shows at one moment of a run. Never changed, always replaced. */
export interface Scene {
  readonly agent: DrawnAgent | undefined
  readonly conversation: ConversationState
  readonly entries: readonly Entry[]
  /** Stages and hooks that run now, by span. */
  readonly open: ReadonlyMap<string, OpenSpan>
  /** The number of times that each stage was opened in the newest turn. */
  readonly stages: ReadonlyMap<string, number>
  /** By hook: `no-deletes beforeTool`. */
  readonly hooks: ReadonlyMap<string, HookMark>
  readonly decisions: ReadonlyMap<string, readonly Decision[]>
  readonly step: number
  readonly prints: readonly string[]
  readonly problems: readonly Problem[]
  readonly ended: { readonly status: TurnStatus; readonly more: boolean } | undefined
}

const conversationId = 'playground'
/** The newest lines that a run has printed. */
const keptPrints = 200

export const emptyScene = (): Scene => ({
  agent: undefined,
  conversation: ConversationView.ofLog(conversationId).state,
  entries: [],
  open: new Map(),
  stages: new Map(),
  hooks: new Map(),
  decisions: new Map(),
  step: 0,
  prints: [],
  problems: [],
  ended: undefined,
})

export const hookKey = ({ by, at }: { readonly by?: string | undefined; readonly at?: string | undefined }): string =>
  `${by} ${at}`
/** Span ids count within a turn; branches that are worked on side by side have turns of their own. */
const spanKey = ({ turnId, id }: Pick<OpenSpan, 'turnId' | 'id'>): string => `${turnId} ${id}`

/** The scene after one more thing was told. */
export function nextScene(scene: Scene, told: Told): Scene {
  switch (told.kind) {
    case 'agent':
      return { ...scene, agent: told.agent }
    case 'event':
      return withEvent(scene, told.event)
    case 'opened':
      return withOpened(scene, told.span)
    case 'closed':
      return withClosed(scene, told.span)
    case 'decisions':
      return { ...scene, decisions: new Map(scene.decisions).set(told.turnId, told.decisions) }
    case 'printed':
      return { ...scene, prints: [...scene.prints, told.text].slice(-keptPrints) }
    case 'problem':
      return { ...scene, problems: withProblem(scene.problems, told.problem) }
    case 'ended':
      return { ...scene, ended: { status: told.status, more: told.more } }
  }
}

/** A hook's failure is told by its event and again by its turn: one note for each place. */
function withProblem(problems: readonly Problem[], problem: Problem): readonly Problem[] {
  const isKnown = problems.some(
    ({ file, line, message }) =>
      file === problem.file && line === problem.line && (line || message === problem.message),
  )
  return isKnown ? problems : [...problems, problem]
}

function withOpened(scene: Scene, span: OpenSpan): Scene {
  const open = new Map(scene.open).set(spanKey(span), span)
  if (span.kind === 'hook') return { ...scene, open, step: span.step }
  const stages = new Map(scene.stages)
  stages.set(span.stage, (stages.get(span.stage) ?? 0) + 1)
  return { ...scene, open, stages, step: span.step }
}

function withClosed(scene: Scene, span: ToldSpan): Scene {
  const open = new Map(scene.open)
  open.delete(spanKey(span))
  if (span.kind === 'stage') return { ...scene, open }
  const key = hookKey(span)
  const known = scene.hooks.get(key)
  const { directive = known?.directive, reason = known?.reason, error = known?.error } = span
  const mark: HookMark = {
    count: (known?.count ?? 0) + 1,
    ...(directive === undefined ? {} : { directive }),
    ...(reason === undefined ? {} : { reason }),
    ...(error === undefined ? {} : { error }),
  }
  return { ...scene, open, hooks: new Map(scene.hooks).set(key, mark) }
}

function withEvent(scene: Scene, event: Event): Scene {
  const view = new ConversationView(scene.conversation)
  const before = event.type === 'message.discarded' ? scene.conversation.live.get(event.messageId) : undefined
  for (const one of event.type === 'history.edited' ? editedAsMessages(event) : [event]) view.apply(one)
  const changed = { ...scene, conversation: view.state, entries: withEntry(scene.entries, event, before?.text ?? '') }
  // Another turn begins on a clean drawing. The turns of branches beside a running one add to it.
  if (event.type !== 'turn.started' || scene.open.size) return changed
  return { ...changed, ended: undefined, stages: new Map(), hooks: new Map(), open: new Map() }
}

type Edit = Extract<Event, { type: 'history.edited' }>

/** The messages of an edit as the view takes them one by one: it would ask a server for them. */
function editedAsMessages({ messages, parentId, to, type: _type, by: _by, from, ...stamp }: Edit): Event[] {
  const added = messages.map((message, i): Event => {
    const parent = i ? messages[i - 1]?.id : parentId
    return { ...stamp, type: 'message.added', messageId: message.id, parentId: parent, role: message.role, message }
  })
  return [...added, { ...stamp, type: 'head.moved', from, to }]
}

function withEntry(entries: readonly Entry[], event: Event, shown: string): readonly Entry[] {
  switch (event.type) {
    case 'message.started':
    case 'message.added': {
      const { messageId: id, role } = event
      if (role === 'tool' || entries.some(entry => entry.id === id)) return entries
      return [...entries, { kind: 'message', id }]
    }
    case 'message.discarded': {
      const { messageId: id, reason } = event
      return entries.map(entry => (entry.id === id ? { kind: 'withdrawn', id, text: shown, reason } : entry))
    }
    case 'request.answered': {
      const { decision } = event.decision as { readonly decision?: string }
      const text = decision === 'allow' ? 'You said yes.' : decision === 'deny' ? 'You said no.' : 'You answered.'
      return [...entries, { kind: 'answered', id: event.requestId, text }]
    }
    default:
      return 'outcome' in event
        ? [...entries, { kind: 'ended', id: `${event.turnId} end`, event: event as TurnEnd }]
        : entries
  }
}

/** Ids of the messages from the root to the head. */
export function pathOf({ nodes, head }: ConversationState): ReadonlySet<string> {
  const path = new Set<string>()
  for (let id: string | null | undefined = head; id && !path.has(id); id = nodes.get(id)?.parentId) path.add(id)
  return path
}
