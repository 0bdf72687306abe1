import { money, short } from '../terminal-text.ts'
import type { ChatState } from './state.ts'

/** `● writing · offline · 1.2k tokens · $0.0031 · context 800 · 5 hooks` */
export function statusLine(state: ChatState): string {
  const { model, tokens, cost, context, hooks, running, questions } = state
  const activity = questions.length ? 'waiting for you' : state.activity
  const parts = [
    running && activity ? `● ${activity}` : '',
    model,
    `${short(tokens)} tokens`,
    money(cost),
    context ? `context ${short(context)}` : '',
    hooks,
  ]
  return parts.filter(Boolean).join(' · ')
}

/** What stands in the input while nothing is written. */
export const inputHint = (running: boolean): string =>
  running ? 'Enter says it now · Alt-Enter after this turn · Esc Esc interrupts' : 'Say something, or /help'
