import type { Event, Message, Usage } from 'turnbuckle'
import { oneLine } from '../../text/one-line.ts'
import { addItem, addNotice, changeItem, closeLiveItems } from './change-item.ts'
import { type ChatState, closeQuestion } from './chat-state.ts'
import { messageItems, replyItem } from './message-items.ts'
import type { ReplyItem, ToolItem, TranscriptItem } from './transcript-item.ts'

/** The chat state after an event. Pure. */
export function showEvent(state: ChatState, event: Event): ChatState {
  if (event.type.startsWith('message.')) return applyMessage(state, event)
  if (event.type.startsWith('tool.')) return applyTool(state, event)
  switch (event.type) {
    case 'request.opened':
      return event.kind === 'outcome' ? unknown(state, event.payload) : state
    case 'interjection.queued':
      return addNotice(state, `↳ ${event.withheld ? '…' : oneLine(event.text)} (after the current step)`)
    case 'hook.failed':
      return addNotice(state, `The hook ${event.point} of ${event.name} failed: ${oneLine(event.error, 300)}`, 'warn')
    case 'middleware.changed':
      return addNotice(state, `${event.name} is ${event.enabled ? 'on' : 'off'}.`)
    case 'usage':
      return {
        ...state,
        context: event.inputTokens,
        tokens: state.tokens + event.inputTokens + event.outputTokens,
        cost: sum(state.cost, event.cost),
      }
    case 'turn.completed':
      return ended(state, event, '')
    case 'turn.stopped':
      return ended(state, event, `Stopped by ${event.by}: ${oneLine(event.reason, 300)}`)
    case 'turn.interrupted':
      return ended(state, event, 'Interrupted. What was shown stays; go on typing.')
    case 'turn.failed':
      return ended(state, event, `Failed: ${oneLine(event.error ?? event.reason, 500)}`)
    default:
      return state
  }
}

/** A call that was running when its process ended: the outcome request says that nobody knows what came of it. */
const unknown = (state: ChatState, payload: unknown): ChatState =>
  changeItem(state, String((payload as { id?: unknown }).id), item =>
    item.kind === 'tool' ? { ...item, status: 'unknown' } : item,
  )

/** A cost with an unknown part is unknown. */
const sum = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? undefined : a + b

function ended(state: ChatState, { usage }: { readonly usage: Usage }, text: string): ChatState {
  // The usage events of the turn are counted already; its end says whether a cost is missing among them.
  const cost = usage.cost === undefined ? undefined : state.cost
  const over = { ...closeQuestion(closeLiveItems(state, 'interrupted')), cost }
  return text ? addNotice(over, text, 'warn') : over
}

function applyMessage(state: ChatState, event: Event): ChatState {
  switch (event.type) {
    case 'message.started': {
      const { messageId: id } = event
      if (event.role !== 'assistant' || state.live.some(item => item.id === id)) return state
      const reply: ReplyItem = { kind: 'reply', id, text: '', reasoning: '', done: false }
      return { ...addItem(state, reply), activity: 'thinking' }
    }
    case 'message.text':
    case 'message.delta':
      return changeItem({ ...state, activity: event.reasoning ? 'thinking' : 'writing' }, event.messageId, item =>
        item.kind !== 'reply'
          ? item
          : event.reasoning
            ? { ...item, reasoning: item.reasoning.slice(0, event.offset) + event.text }
            : { ...item, text: item.text.slice(0, event.offset) + event.text },
      )
    case 'message.discarded':
      return addNotice(
        { ...state, live: state.live.filter(item => item.id !== event.messageId && !isOf(item, event.messageId)) },
        `Withdrawn: ${oneLine(event.reason, 200)}`,
      )
    case 'message.added':
      return added(state, event.message)
    default:
      return state
  }
}

const isOf = (item: TranscriptItem, messageId: string): boolean => item.kind === 'tool' && item.messageId === messageId

function added(state: ChatState, message: Message): ChatState {
  if (state.past.some(({ id }) => id === message.id)) return state
  if (message.role === 'assistant' && state.live.some(({ id }) => id === message.id))
    return changeItem(state, message.id, item => ({ ...item, ...replyItem(message) }) as TranscriptItem)
  return messageItems(message)
    .filter(({ kind }) => kind !== 'tool')
    .reduce(addItem, state)
}

function applyTool(state: ChatState, event: Event): ChatState {
  switch (event.type) {
    case 'tool.delta':
    case 'tool.text': {
      const { callId: id, name, messageId, at: startedAt } = event
      const writing = { ...state, activity: `writing ${name}` }
      if (state.live.some(item => item.id === id)) return writing
      return addItem(writing, {
        kind: 'tool',
        id,
        messageId,
        name,
        args: undefined,
        status: 'waiting',
        startedAt,
        done: false,
      })
    }
    case 'tool.pending': {
      const { callId: id, name, args, at: startedAt } = event
      if (state.live.some(item => item.id === id))
        return changeItem(state, id, item => (item.kind === 'tool' ? { ...item, args } : item))
      return addItem(state, { kind: 'tool', id, name, args, status: 'waiting', startedAt, done: false })
    }
    case 'tool.executing':
      return changeItem({ ...state, activity: event.name }, event.callId, item =>
        item.kind === 'tool' ? { ...item, status: 'running', startedAt: event.at, args: event.args } : item,
      )
    case 'tool.progress':
      return changeItem(state, event.callId, item =>
        item.kind === 'tool' ? { ...item, progress: progressOf(event) } : item,
      )
    case 'tool.completed':
    case 'tool.failed': {
      const { status, result, durationMs } = event
      const others = state.live.filter(item => item.kind === 'tool' && item.id !== event.callId)
      const running = (others as ToolItem[]).findLast(item => item.status === 'running')
      return changeItem({ ...state, activity: running?.name ?? 'thinking' }, event.callId, item =>
        item.kind === 'tool' ? { ...item, status, result, ...timeSpent(item, event.at, durationMs), done: true } : item,
      )
    }
    case 'tool.late':
      return addNotice(state, 'A tool gave its result after the turn had ended; it was not used.')
    default:
      return state
  }
}

/** Time that a call waits for permission is not counted: one that never ran has no duration. */
const timeSpent = ({ status, startedAt }: ToolItem, now: number, told = 0): Pick<ToolItem, 'durationMs'> =>
  status === 'running' ? { durationMs: told || now - startedAt } : {}

/** `▓▓▓░░░░░░░ 3/10`, or what the tool says. */
function progressOf(event: Readonly<Record<string, unknown>>): string {
  const { done, total, text, message } = event
  if (typeof done === 'number' && typeof total === 'number' && total > 0) {
    const full = Math.max(0, Math.min(10, Math.round((done / total) * 10)))
    return `${'▓'.repeat(full)}${'░'.repeat(10 - full)} ${done}/${total}`
  }
  return oneLine(String(text ?? message ?? ''), 60)
}
