import { type Message, textOf } from '../core/base/message.ts'
import { type Middleware, middleware } from '../core/hooks/middleware.ts'
import { type Attached, attachFound } from './attach-found.ts'
import { checkArgument, checkOptions, type Shape } from './check-options.ts'
import * as is from './kinds.ts'
import { isTrial } from './side-by-side.ts'

interface About {
  readonly conversationId: string
  readonly signal: AbortSignal
}

/** The port: what is known from earlier conversations. */
export interface Memory {
  /** Finds the memories that are worth knowing for this message. */
  recall(query: string, about: About): Promise<readonly string[]> | readonly string[]
  /** Takes out of a finished turn what is worth keeping. */
  extract?(messages: readonly Message[], about: About): Promise<unknown> | unknown
}

/** The options of `memory`. */
export interface MemoryOptions {
  /** At most so many memories are shown. 10 by default. */
  readonly max?: number
  /** Only needed where an agent has several. `memory` by default. */
  readonly name?: string
}

const shape = (): Shape<MemoryOptions> => ({ max: is.number(1), name: is.text })

/**
 * Recalls before the first model call of a turn, extracts after a turn that completed. Memories stand in front of the
 * person's words, in the prompt only. Not a guard, and fails open: a memory that is down does not stop the turn.
 *
 * ```ts
 * createAgent({ model, use: [memory({ recall: query => db.find(query), extract: messages => db.learn(messages) })] })
 * ```
 */
export function memory(store: Memory, options: MemoryOptions = {}): Middleware {
  checkArgument('memory', 'store', store, is.port('recall'))
  checkOptions('memory', options, shape)
  const { max = 10, name = 'memory' } = options
  return middleware<Attached>({
    name,
    description: 'Remembers facts, and gives them to the model where they fit.',
    state: { text: undefined },
    onFailure: 'open',
    beforeModel: attachFound(async ({ draft, conversation, signal }) => {
      const known = await store.recall(textOf(draft.userMessage), { conversationId: conversation.id, signal })
      const lines = known.slice(0, max).map(line => `- ${line}`)
      return lines.length ? `Known from earlier:\n${lines.join('\n')}` : ''
    }),
    async afterTurn(ctx) {
      if (ctx.result?.status !== 'completed' || isTrial(ctx.turn)) return
      await store.extract?.(ctx.result.messages, { conversationId: ctx.conversation.id, signal: ctx.signal })
    },
  })
}
