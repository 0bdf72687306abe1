import { canonicalJson } from '../../core/base/canonical-json.ts'
import type { Message } from '../../core/base/message.ts'
import type { Prompt } from '../../core/base/ports.ts'
import { isSameMessage } from '../../core/durable/prompt-changes.ts'
import { messageText } from './compare-texts.ts'
import type { PromptFingerprint } from './prompt-fingerprint.ts'

/** Says for a person how a part of the prompt differs. `path`: the messages of the record. */
export function promptDifference(
  part: 'messages' | 'instructions' | 'params',
  prompt: Prompt,
  path: readonly Message[],
  then: PromptFingerprint,
): string {
  if (part !== 'messages') return `its ${part} are now ${canonicalJson(prompt[part]).slice(0, 120)}`
  if (then.messages !== undefined) return 'then a hook had changed its messages in another way'
  const { messages } = prompt
  const first = messages.findIndex((message, i) => !isSameMessage(message, path[i]))
  return first < 0
    ? `then it had ${path.length} messages, now ${messages.length}`
    : `message ${first} is now: ${brief(messages[first])}`
}

const brief = (message: Message | undefined): string => (message ? messageText(message).slice(0, 120) : '')
