import { formatCount, formatMoney } from '../../text/format-count.ts'
import type { ChatState } from '../transcript/chat-state.ts'

/** `● writing · offline · 1.2k tokens · $0.0031 · context 800 · 5 hooks: retry`, with those that run now. */
export function statusLine(state: ChatState, running: readonly string[] = []): string {
  const { model, tokens, cost, context, hooks, questions, mode } = state
  const activity = questions.length ? 'waiting for you' : state.activity
  const parts = [
    state.running && activity ? `● ${activity}` : '',
    mode === 'ask' ? '' : mode,
    model,
    `${formatCount(tokens)} tokens`,
    formatMoney(cost),
    context ? `context ${formatCount(context)}` : '',
    state.running && running.length ? `${hooks}: ${running.join(', ')}` : hooks,
  ]
  return parts.filter(Boolean).join(' · ')
}

/** Placeholder of an empty input. */
export const inputHint = (running: boolean): string =>
  running ? 'Enter says it now · Alt-Enter after this turn · Esc Esc stops' : 'Say something, or /help'
