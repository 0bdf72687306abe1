import { contextWindow } from '../../text/context-window.ts'
import { formatCost, formatCount, formatDuration } from '../../text/format-count.ts'
import { oneLine } from '../../text/one-line.ts'
import { textColumns } from '../../text/wrap-text.ts'
import type { ChatState } from '../transcript/chat-state.ts'
import { hasToTakeBack } from './waiting-lines.ts'

export interface StatusView {
  /** Names of the person's own hooks that run now. */
  readonly hooks?: readonly string[]
  readonly now?: number
  readonly width?: number
}

/**
 * `● writing 12 s · offline · shop (main) · context 4% · $0.0031 · 1.2k tokens · hook lint`. Parts that do not fit
 * are left out, the least important first.
 */
export function statusLine(state: ChatState, { hooks = [], now = 0, width = Infinity }: StatusView = {}): string {
  const { model, tokens, context, questions, mode, folder } = state
  const asking = questions.length > 0
  const running = state.running && hooks.length ? `hook ${hooks.join(', ')}` : ''
  // The number is the order in which parts are given up; 0 stays.
  const parts: readonly (readonly [text: string, rank: number])[] = [
    [state.running ? activityText(state, asking, now) : '', 0],
    [besideText(state), 0],
    [state.editor.vim?.mode === 'normal' ? 'NORMAL' : '', 0],
    [mode === 'ask' ? '' : mode, 0],
    [state.awaited, 0],
    [model, 0],
    [oneLine(folder, 32), state.running ? 2 : 3],
    [context ? `context ${contextText(context, model)}` : '', 4],
    [formatCost(state), 5],
    [`${formatCount(tokens)} tokens`, 1],
    [running, state.running ? 3 : 2],
  ]
  const shown = parts.filter(([text]) => text)
  const line = () => shown.map(([text]) => text).join(' · ')
  for (let rank = 1; rank <= 5 && textColumns(line()) > width; rank++) {
    const at = shown.findIndex(([, own]) => own === rank)
    if (at >= 0) shown.splice(at, 1)
  }
  return line()
}

/** Work beside turns, with the key that ends it where that is not the turn's. */
function besideText({ beside, running }: ChatState): string {
  if (!beside.length) return ''
  const names = oneLine(beside.map(({ name }) => name).join(', '), 32)
  return `● ${names}${running ? '' : ' (Ctrl-C stops)'}`
}

/** What happens, and for how long; while a call is to be tried again, when. */
function activityText({ activity, startedAt, retry }: ChatState, asking: boolean, now: number): string {
  if (asking) return '● waiting for you'
  if (retry) return `● again in ${Math.max(0, Math.ceil((retry.until - now) / 1000))} s (attempt ${retry.attempt + 1})`
  const spent = startedAt && now > startedAt + 1000 ? ` ${formatDuration(now - startedAt, 'whole')}` : ''
  return activity ? `● ${activity}${spent}` : ''
}

/** In per cent of what the model can hold, where that is known. */
function contextText(tokens: number, model: string): string {
  const window = contextWindow(model)
  return window ? `${Math.max(1, Math.round((tokens / window) * 100))}%` : formatCount(tokens)
}

/** Placeholder of an empty input. */
export const inputHint = (state: Pick<ChatState, 'running' | 'queue' | 'view'>): string =>
  state.running
    ? `Enter says it now · ${hasToTakeBack(state) ? '↑ takes the last one back' : 'Alt-Enter after this turn'} · Esc Esc stops`
    : 'Say something, or /help'
