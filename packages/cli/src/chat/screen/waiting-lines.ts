import { cleanText } from '../../text/clean-text.ts'
import type { ChatState } from '../transcript/chat-state.ts'

/** Messages that wait, in the order in which they are heard, a line each: first those for the running turn, then those for after it. */
export const waitingLines = ({ view, queue }: Pick<ChatState, 'view' | 'queue'>): readonly string[] =>
  [
    ...view.queued.filter(({ by }) => by === undefined).map(({ text }) => `↳ ${text} (after the current step)`),
    ...queue.map(text => `⧗ ${text}`),
  ].map(line => cleanText(line).replaceAll('\n', ' '))
