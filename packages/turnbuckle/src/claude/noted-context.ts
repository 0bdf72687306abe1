import type { Message } from '../core/base/message.ts'
import type { Prompt } from '../core/base/ports.ts'

/** A hook's text for the model, and the place in the conversation where the hook has said it. */
export interface ContextNote {
  /** The message, or the call, that it stands behind. */
  readonly behind: string
  readonly text: string
}

/** The notes as messages behind their places: a call's behind all results of its batch. A note whose place is not in the prompt is left out. */
export function withNotes(messages: Prompt['messages'], notes: readonly ContextNote[]): Prompt['messages'] {
  const places = new Map<number, string[]>()
  for (const { behind, text } of notes) {
    const at = placeOf(messages, behind)
    if (at !== undefined) places.set(at, [...(places.get(at) ?? []), text])
  }
  if (!places.size) return messages
  return messages.flatMap((message, i) => {
    const texts = places.get(i)
    return texts ? [message, reminder(message, texts)] : [message]
  })
}

function placeOf(messages: Prompt['messages'], behind: string): number | undefined {
  const own = messages.findIndex(({ id }) => id === behind)
  if (own >= 0) return own
  const result = messages.findIndex(({ content }) => content.some(part => part.type === 'result' && part.id === behind))
  if (result < 0) return undefined
  let last = result
  while (messages[last + 1]?.role === 'tool') last++
  return last
}

const reminder = ({ id }: Message, texts: readonly string[]): Message => ({
  id: `${id}.hooks`,
  role: 'user',
  content: [{ type: 'text', text: texts.map(text => `<system-reminder>\n${text}\n</system-reminder>`).join('\n') }],
})
