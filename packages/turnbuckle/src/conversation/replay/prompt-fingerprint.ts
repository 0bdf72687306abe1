import { canonicalJson } from '../../core/base/canonical-json.ts'
import type { PromptChanges } from '../../core/durable/prompt-changes.ts'
import { textHash } from '../platform/text-hash.ts'

/** The changes that hooks made to a prompt, as the log keeps them: fingerprints, not the messages a second time. */
export interface PromptFingerprint {
  readonly messages?: string | undefined
  readonly instructions?: string | undefined
  readonly params?: string | undefined
  /** The name of the model, where a hook has chosen it. */
  readonly model?: string | undefined
  /** The number of the prompt's attempt in its step. Logs of the first version do not have it. */
  readonly attempt?: number | undefined
}

export function promptFingerprint({ messages, instructions, params, model }: PromptChanges): PromptFingerprint {
  return {
    ...(messages === undefined ? {} : { messages: hash(messages) }),
    ...(instructions === undefined ? {} : { instructions: hash(instructions) }),
    ...(params === undefined ? {} : { params: hash(params) }),
    ...(model === undefined ? {} : { model }),
  }
}

const hash = (value: unknown): string => textHash(canonicalJson(value)).slice(0, 22)
