import { callLine } from '../text/call-line.ts'
import { formatDuration } from '../text/format-count.ts'
import { oneLine } from '../text/one-line.ts'
import { callOutcome } from './lines/call-outcome.ts'
import { resultText } from './lines/result-files.ts'
import type { ChatState } from './transcript/chat-state.ts'
import type { Question } from './transcript/question.ts'
import type { TranscriptItem } from './transcript/transcript-item.ts'

const answers: Readonly<Record<Question['kind'], string>> = {
  permission: 'Type yes for this once, or no with a reason: no, because …',
  'yes-no': 'Type yes or no.',
  plan: 'Type yes or no.',
  outcome: 'Type happened, or run to run it now, or stop.',
  text: 'Type your answer.',
  back: 'Type conversation, files, or both; or no.',
}

/** The words that answer a question of a kind, each alone: `not sure` would run a command again that may have happened. */
const wordsAlone: Partial<Record<Question['kind'], Readonly<Record<string, object>>>> = {
  outcome: { happened: { outcome: 'happened' }, run: { outcome: 'not' }, stop: { outcome: 'stop' } },
  back: {
    conversation: { back: 'conversation' },
    both: { back: 'both' },
    files: { back: 'files' },
    no: { decision: 'deny' },
    n: { decision: 'deny' },
  },
}

/** A question in words, with the words that answer it. */
export const spokenQuestion = ({ kind, title, body, diff = '' }: Question): string =>
  ['Question.', title, body, diff, answers[kind]].filter(Boolean).join('\n')

/** The answer that a line is to a question; undefined where it is none. */
export function spokenAnswer({ kind }: Question, line: string): unknown {
  const [, word = '', rest = ''] = /^(\w+)[\s,.:]*([\s\S]*)$/.exec(line.trim()) ?? []
  const said = word.toLowerCase()
  if (kind === 'text') return line.trim() || undefined
  const alone = wordsAlone[kind]
  if (alone) return rest ? undefined : alone[said]
  // Words behind the yes may be meant for the model: `yes, but not that file`.
  if ((said === 'yes' || said === 'y') && !rest) return { decision: 'allow', scope: 'once' }
  if (said === 'no' || said === 'n') return { decision: 'deny', ...(rest ? { reason: rest } : {}) }
  return undefined
}

/** A finished item in words. What the person has typed is not said again; `recorded` is from an earlier session. */
export function spokenItem(item: TranscriptItem, recorded: boolean): string {
  switch (item.kind) {
    case 'user':
      return recorded ? `You: ${item.text}` : ''
    case 'notice':
      // A question is spoken whole by itself.
      return item.asked === undefined ? item.text : ''
    case 'reply':
      return [item.text && `Assistant: ${item.text}`, item.cut ? `The reply was ${item.cut}.` : '']
        .filter(Boolean)
        .join('\n')
    case 'tool': {
      const { name, args, durationMs, result, answered } = item
      const spent = durationMs === undefined ? '' : `, ${formatDuration(durationMs)}`
      const text = resultText(result)
      const by = answered === undefined ? '' : `, ${answered}`
      return `Tool ${name} ${callLine(args, 200)}: ${callOutcome(item)}${by}${spent}.\n${oneLine(text, 400)}`.trimEnd()
    }
  }
}

/** What changed between two states, beside items and questions: a state of the turn in words. */
export function spokenChange(before: ChatState, now: ChatState): string {
  if (now.retry && !before.retry)
    return `It is tried again in ${Math.ceil((now.retry.until - Date.now()) / 1000)} seconds.`
  if (now.running && !before.running) return 'Working.'
  if (!now.running && before.running) return `Done. ${ready}`
  if (now.followed === 'ended' && before.followed !== 'ended') return `Done. ${ready}`
  if (now.beside.length > before.beside.length) return `Now: ${now.beside.at(-1)?.name}.`
  if (now.view.queued.length > before.view.queued.length) return 'It is said after the current step.'
  if (now.queue.length > before.queue.length) return 'It is said after this turn.'
  if (now.activity !== before.activity && now.running && now.activity) return `Now: ${now.activity}.`
  return now.hint !== before.hint ? now.hint : ''
}

export const ready = 'Say something, or /help.'
