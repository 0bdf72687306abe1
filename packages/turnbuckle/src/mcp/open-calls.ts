import type { Call } from '../core/base/message.ts'
import type { Context } from '../core/hooks/hook-types.ts'
import type { ToolContext } from '../core/types/tool-context.ts'

/** A call that runs on a server, as the hook around it sees it: the way to its person and to its model. */
export type OpenCall = Pick<Context, 'agent' | 'ask' | 'conversation' | 'generate' | 'turn'> & { readonly call: Call }

type Named = Pick<ToolContext, 'call' | 'conversation'>

/** The calls that run now. A tool finds the hook's context of its own call here: a tool's context cannot ask. */
export class OpenCalls {
  readonly #calls = new Map<string, OpenCall>()

  /** Returns how to end it. */
  open(call: OpenCall): () => void {
    const key = keyOf(call)
    this.#calls.set(key, call)
    return () => {
      if (this.#calls.get(key) === call) this.#calls.delete(key)
    }
  }

  find(named: Named): OpenCall | undefined {
    return this.#calls.get(keyOf(named))
  }
}

const keyOf = ({ conversation, call }: Named): string => JSON.stringify([conversation.id, call.id])
