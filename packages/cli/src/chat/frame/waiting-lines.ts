import { cleanText } from '../../text/clean-text.ts'
import type { ChatState } from '../transcript/chat-state.ts'

type Waiting = Pick<ChatState, 'view' | 'queue'>

/** Messages that wait, in the order in which they are heard, a line each: those for the running turn, then those for after it. */
export const waitingLines = ({ view, queue }: Waiting): readonly string[] =>
  [
    ...view.queued.filter(({ by }) => by === undefined).map(({ text }) => `↳ ${text} (after the current step)`),
    ...queue.map(text => `⧗ ${text}`),
  ].map(line => cleanText(line).replaceAll('\n', ' '))

/** True where ↑ takes a message back. */
export const hasToTakeBack = (state: Waiting): boolean => waitingLines(state).length > 0
