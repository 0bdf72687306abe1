import { canonicalJson } from '../../core/base/canonical-json.ts'
import type { Message, Part, Role } from '../../core/base/message.ts'
import { isSameMessage } from '../../core/durable/prompt-changes.ts'

/** A message of the turn that is not as it was. Without `before` it is new, without `after` it is missing. */
export interface TextDifference {
  /** The role of the message. */
  readonly role: Role
  /** The message as text: calls and results are lines of their own. */
  readonly before?: string | undefined
  /** The message as text in the replay; absent where it has none. */
  readonly after?: string | undefined
}

/**
 * Messages in the order they were added. `isCut`: the record ceased to apply, so what the replay did not come to is no difference.
 * Messages at the same place are compared; those that are equal at the end are left out, so one that was put in is one difference.
 */
export function compareTexts(
  then: readonly Message[],
  now: readonly Message[],
  isCut: boolean,
): readonly TextDifference[] {
  const old = isCut ? then.slice(0, now.length) : then
  const first = leading(old, now)
  const last = isCut ? 0 : leading(old.slice(first).reverse(), now.slice(first).reverse())
  const [gone, come] = [old.slice(first, old.length - last), now.slice(first, now.length - last)]
  return Array.from({ length: Math.max(gone.length, come.length) }, (_, i) => [gone[i], come[i]] as const)
    .filter(([a, b]) => !a || !isSameMessage(a, b))
    .map(([a, b]) => ({
      role: (a ?? b)?.role ?? 'assistant',
      ...(a ? { before: messageText(a) } : {}),
      ...(b ? { after: messageText(b) } : {}),
    }))
}

/** The number of equal messages that both begin with. */
function leading(a: readonly Message[], b: readonly Message[]): number {
  const differs = a.findIndex((message, i) => !isSameMessage(message, b[i]))
  return differs < 0 ? a.length : differs
}

/** A message as text: calls and results are lines of their own. */
export const messageText = ({ content }: Message): string => content.map(partText).filter(Boolean).join('\n')

function partText(part: Part): string {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return part.text
    case 'call':
      return `call ${part.name} ${canonicalJson(part.args)}`
    case 'result':
      return `result ${part.name} (${part.status}) ${typeof part.value === 'string' ? part.value : canonicalJson(part.value)}`
    case 'file':
      return `file ${part.name ?? part.mediaType}`
    case 'source':
      return `source ${part.url ?? part.title ?? part.name ?? ''}`
    case 'custom':
      return part.kind
  }
}
