import { type ConversationState, callKey } from 'turnbuckle/client'
import { localPerson } from '../../settings/local-person.ts'
import { oneLine } from '../../text/one-line.ts'
import { answersInWords } from './answers-in-words.ts'
import { replyItem } from './message-items.ts'
import { subAgentText } from './sub-agent-text.ts'
import type { ReplyItem, ToolItem, TranscriptItem } from './transcript-item.ts'

/**
 * A live item with the text or status that its message or call has in the view. `now` is the time of the last event.
 */
export function viewItem(view: ConversationState, item: TranscriptItem, now: number): TranscriptItem {
  if (item.kind === 'reply') return viewReply(view, item)
  return item.kind === 'tool' ? viewCall(view, item, now) : item
}

/**
 * A recorded message goes before the text that was streamed. A reply that the view does not have keeps its last text. One that was cut waits for the
 * turn's next event, which says by what.
 */
function viewReply({ nodes, live }: ConversationState, item: ReplyItem): ReplyItem {
  const message = nodes.get(item.id)?.message
  if (message) return item.done ? item : { ...item, ...replyItem(message), done: !message.interrupted }
  const { text, reasoning } = live.get(item.id) ?? item
  return { ...item, text, reasoning }
}

const shownStatus: Readonly<Record<string, string>> = { pending: 'waiting', executing: 'running' }

/** A call is done when the view has its result; a call that is still being written is not in the view's calls. */
function viewCall(view: ConversationState, item: ToolItem, now: number): ToolItem {
  const call = view.calls.get(callKey(item.turnId, item.id))
  if (!call) return item
  const { startedAt = item.startedAt } = call
  const answered = call.answers && answersInWords(call.answers, localPerson())
  const progress = subAgentText(view, item.turnId, item.id) || (call.progress && progressText(call.progress))
  return {
    ...item,
    status: shownStatus[call.status] ?? call.status,
    startedAt,
    ...('args' in call ? { args: call.args } : {}),
    ...(progress ? { progress } : {}),
    ...(answered === undefined ? {} : { answered }),
    ...('result' in call ? { result: call.result, done: true, ...timeSpent(item, now, call.durationMs) } : {}),
  }
}

/** Time that a call waits for permission is not counted: one that never ran has no duration. */
const timeSpent = ({ status, startedAt }: ToolItem, now: number, told = 0): Pick<ToolItem, 'durationMs'> =>
  status === 'running' ? { durationMs: told || now - startedAt } : {}

const progressLines = 5

/** `▓▓▓░░░░░░░ 3/10`, or `3` where nobody knows of how many, with what the tool says of it; else the last lines of its text. An MCP server calls it `progress`. */
function progressText({ progress, done = progress, total, text, message }: Readonly<Record<string, unknown>>): string {
  const said = lastLines(String(text ?? message ?? ''))
  return typeof done === 'number' ? [progressBar(done, total), said].filter(Boolean).join(' ') : said
}

function progressBar(done: number, total: unknown): string {
  if (typeof total !== 'number' || total <= 0) return String(done)
  const full = Math.max(0, Math.min(10, Math.round((done / total) * 10)))
  return `${'▓'.repeat(full)}${'░'.repeat(10 - full)} ${done}/${total}`
}

const lastLines = (text: string): string =>
  text
    .trimEnd()
    .split('\n')
    .slice(-progressLines)
    .map(line => oneLine(line, 200))
    .join('\n')
