import type { Message } from '../base/message.ts'
import type { TurnStatus } from '../events/events.ts'

/** The ending of a turn, known before its after hooks run. */
export interface TurnEnding {
  readonly status: TurnStatus
  readonly reason: string
  readonly by: string
  readonly error?: unknown
  /** The closing text, in the assistant's name. */
  readonly say?: string | undefined
  /** The user's message was refused: it is not recorded. */
  readonly refused?: boolean
  /** The log cannot be written to: the turn ends here, and another process is to go on with it. */
  readonly abandoned?: boolean
}

/** The model asked for nothing more. */
export const doneEnding: TurnEnding = { status: 'completed', reason: 'done', by: 'model' }

/** Finish reasons of a reply that the model was kept from writing. */
const cutShort: ReadonlySet<string> = new Set([
  'length',
  'max-tokens',
  'content-filter',
  'refusal',
  'safety',
  'prohibited-content',
  'blocklist',
  'recitation',
])

/** The end of a turn whose model asks for nothing more. A reply that has nothing in it because it was refused or cut is no answer. */
export function endingByModel(reply: Message | undefined, finishReason: string | undefined): TurnEnding {
  const isCut = finishReason !== undefined && cutShort.has(finishReason.toLowerCase().replaceAll('_', '-'))
  if (!isCut || reply?.content.some(part => part.type !== 'reasoning' && !(part.type === 'text' && !part.text.trim())))
    return doneEnding
  return { status: 'stopped', reason: `the model said nothing: ${finishReason}`, by: 'model' }
}
