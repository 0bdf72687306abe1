import type { Event, Message, Usage } from 'turnbuckle'
import { applyEvent } from 'turnbuckle/client'
import { oneLine } from '../../text/one-line.ts'
import { type RetryNote, retryNote } from '../../text/retry-note.ts'
import { addItem, addNotice, changeItem, closeCutReplies, closeLiveItems, moveFinished } from './change-item.ts'
import { type ChatState, closeQuestion } from './chat-state.ts'
import { messageItems } from './message-items.ts'
import type { CutMark, ToolItem, TranscriptItem } from './transcript-item.ts'
import { viewItem } from './view-item.ts'

/**
 * The chat state after an event. Pure. Texts and calls are those of the conversation's view; the chat adds the order of
 * its items, notices, the activity and the sums of the conversation.
 */
export function showEvent(before: ChatState, event: Event): ChatState {
  const state = changeTranscript({ ...before, retry: undefined, view: applyEvent(before.view, event) }, event)
  return moveFinished({ ...state, live: state.live.map(item => viewItem(state.view, item, event.at)) })
}

function changeTranscript(state: ChatState, event: Event): ChatState {
  if (event.type.startsWith('message.')) return applyMessage(state, event)
  if (event.type.startsWith('tool.')) return applyTool(state, event)
  const retry = retryNote(event)
  if (retry) return waitForRetry(state, retry, event.at)
  switch (event.type) {
    case 'interjection.queued':
      // A person's own waits above the input, where it can still be taken back.
      if (event.by === undefined) return state
      return addNotice(state, `↳ ${event.by}: ${event.withheld ? '…' : oneLine(event.text)} (after the current step)`)
    case 'hook.failed':
      return addNotice(state, `The hook ${event.point} of ${event.name} failed: ${oneLine(event.error, 300)}`, 'warn')
    case 'claude.notice':
      return addNotice(state, oneLine(event.text, 500), 'warn')
    case 'middleware.changed':
      return addNotice(state, `${event.name} is ${event.enabled ? 'on' : 'off'}.`)
    case 'usage':
      return {
        ...state,
        context: event.inputTokens,
        tokens: state.tokens + event.inputTokens + event.outputTokens,
        cost: state.cost + (event.cost ?? 0),
        isCostPartial: state.isCostPartial || event.cost === undefined,
      }
    case 'turn.completed':
      return ended(state, event, 'cut off')
    case 'turn.stopped':
      return ended(state, event, 'stopped', `Stopped by ${event.by}: ${oneLine(event.reason, 300)}`)
    case 'turn.interrupted':
      return ended(state, event, 'interrupted', 'Interrupted. What was shown stays; go on typing.')
    case 'turn.failed':
      return ended(state, event, 'cut off', `Failed: ${oneLine(event.error ?? event.reason, 500)}`)
    default:
      return state
  }
}

/** An event of the `retry` middleware. The error is a notice; the status line counts down. */
function waitForRetry(state: ChatState, { attempt, delayMs, error }: RetryNote, at: number): ChatState {
  const waiting = { ...state, retry: { until: at + delayMs, attempt } }
  return addNotice(waiting, `${error} It is tried again.`, 'warn')
}

function ended(state: ChatState, { usage }: { readonly usage: Usage }, how: CutMark, text = ''): ChatState {
  // The usage events of the turn are counted already; its end says whether a cost is missing among them.
  const isCostPartial = state.isCostPartial || usage.cost === undefined
  const over = { ...closeQuestion(closeLiveItems(state, how)), isCostPartial }
  return text ? addNotice(over, text, 'warn') : over
}

function applyMessage(state: ChatState, event: Event): ChatState {
  switch (event.type) {
    case 'message.started': {
      const { messageId: id } = event
      if (event.role !== 'assistant' || hasLive(state, id)) return state
      return {
        ...addItem(closeCutReplies(state), { kind: 'reply', id, text: '', reasoning: '', done: false }),
        activity: 'thinking',
      }
    }
    case 'message.text':
    case 'message.delta':
      return { ...state, activity: event.reasoning ? 'thinking' : 'writing' }
    case 'message.discarded':
      return addNotice(
        { ...state, live: state.live.filter(item => item.id !== event.messageId && !isOf(item, event.messageId)) },
        `Withdrawn: ${oneLine(event.reason, 200)}`,
      )
    case 'message.added':
      return addMessage(state, event.message)
    default:
      return state
  }
}

const hasLive = ({ live }: ChatState, id: string): boolean => live.some(item => item.id === id)
const isOf = (item: TranscriptItem, messageId: string): boolean => item.kind === 'tool' && item.messageId === messageId

/** A message that was streamed has its item already. Calls have theirs from `tool.pending` on. */
function addMessage(state: ChatState, message: Message): ChatState {
  if (state.past.some(({ id }) => id === message.id)) return state
  if (message.role === 'assistant' && hasLive(state, message.id)) return state
  return messageItems(message)
    .filter(({ kind }) => kind !== 'tool')
    .reduce(addItem, state)
}

function applyTool(state: ChatState, event: Event): ChatState {
  switch (event.type) {
    case 'tool.delta':
    case 'tool.text': {
      const { messageId } = event
      const writing = { ...state, activity: `writing ${event.name}` }
      return hasLive(state, event.callId) ? writing : addItem(writing, { ...callItem(event), messageId })
    }
    case 'tool.pending': {
      const { callId, args } = event
      if (!hasLive(state, callId)) return addItem(state, { ...callItem(event), args })
      return changeItem(state, callId, item => (item.kind === 'tool' ? { ...item, args } : item))
    }
    case 'tool.executing':
      return { ...state, activity: event.name }
    case 'tool.completed':
    case 'tool.failed':
      return { ...state, activity: runningCall(state, event.callId) ?? 'thinking' }
    case 'tool.late':
      return addNotice(state, 'A tool gave its result after the turn had ended; it was not used.')
    default:
      return state
  }
}

const callItem = ({ callId, turnId, name, at }: Event & { callId: string; name: string }): ToolItem => ({
  kind: 'tool',
  id: callId,
  ...(turnId === undefined ? {} : { turnId }),
  name,
  args: undefined,
  status: 'waiting',
  startedAt: at,
  done: false,
})

/** Name of the call that began to run last, beside the one that has just ended. */
function runningCall({ live }: ChatState, endedId: string): string | undefined {
  const calls = live.filter((item): item is ToolItem => item.kind === 'tool' && item.id !== endedId)
  return calls.findLast(({ status }) => status === 'running')?.name
}
