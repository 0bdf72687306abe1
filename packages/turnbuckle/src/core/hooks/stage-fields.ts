import type { Call, Message, ToolResult } from '../base/message.ts'
import type { Prompt } from '../base/ports.ts'
import type { Node } from '../history/tree.ts'
import type { Tool } from '../types/tool.ts'
import type { TurnResult } from '../types/turn.ts'

interface TakesMessage {
  /** The message. Assign it to change what the stage is given. */
  message: Message
}
interface TookMessage {
  /** The message that the stage was given. */
  readonly message: Message
}
interface TakesPrompt {
  /** What the model call will send. Change its members, or assign it: for this call only, never in the history. */
  prompt: Prompt
}
interface Withdraws {
  /**
   * Takes back what the last attempt has shown, now: for a wrap that waits before its next one. Without it that is done when the
   * next attempt begins. `reason` is told with `message.discarded`. Nothing where no attempt has shown anything.
   */
  readonly withdraw: (reason?: string) => void
}
interface Replied {
  /** What the model call has sent. */
  readonly prompt: Prompt
  /** The reply; `replace(reply)` puts another in its place. */
  readonly reply: Message
  /** The reply, as `ctx.reply`. */
  readonly result: Message
}
interface Deciding {
  /** The reply of the step; none where the model was not called. */
  readonly reply: Message | undefined
  /** True where another step would follow, as things stand. */
  readonly goesOn: boolean
}

/**
 * The further members of `ctx`, by stage and point. `takes`: the one that is the stage's input; `gives`: the one that is its
 * result, besides `ctx.result`.
 */
export interface StageFields {
  /** The whole turn: a user message worked to its end. */
  turn: {
    takes: 'message'
    before: TakesMessage
    after: TookMessage & {
      /** How the turn ended. */
      readonly result: TurnResult
    }
    result: TurnResult | string
  }
  /** Takes the user's message. */
  input: {
    takes: 'message'
    before: TakesMessage
    after: TookMessage & {
      /** The message that will be recorded. */
      readonly result: Message
    }
    result: Message
  }
  /** One model call and the tools it asked for. */
  step: { before: object; after: Deciding; result: unknown }
  /** The model call. */
  model: {
    takes: 'prompt'
    gives: 'reply'
    before: TakesPrompt
    wrap: Withdraws
    after: Replied
    result: Message | string
    next: Prompt
    returns: Message
  }
  /** Finds the calls in the reply. */
  detect: {
    before: {
      /** The reply that calls are looked for in. */
      readonly reply: Message
    }
    after: {
      /** The reply that calls were looked for in. */
      readonly reply: Message
      /** The calls that were found, frozen; `replace(calls)` puts others in their place. */
      readonly calls: readonly Call[]
      /** The calls, as `ctx.calls`. */
      readonly result: readonly Call[]
    }
    result: readonly Call[]
  }
  /** Records a message. */
  append: {
    takes: 'message'
    before: TakesMessage
    after: TookMessage & {
      /** The message's node in the tree. */
      readonly result: Node
    }
    result: Node
    next: Message
  }
  /** Runs a batch of calls. */
  tools: {
    takes: 'calls'
    gives: 'results'
    before: {
      /** The calls, frozen. Assign fewer or changed ones under the same ids. */
      calls: readonly Call[]
      /** The reply that made the calls. */
      readonly reply: Message
    }
    after: {
      /** The calls that were to run. */
      readonly calls: readonly Call[]
      /** Their results in call order, frozen; `replace(results)` puts others in their place. */
      readonly results: readonly ToolResult[]
      /** The results, as `ctx.results`. */
      readonly result: readonly ToolResult[]
    }
    result: readonly ToolResult[]
    next: readonly Call[]
  }
  /** Runs one call. */
  tool: {
    takes: 'call'
    before: {
      /** The call, frozen. Assign it to change what is called. */
      call: Call
      /** The tool that the call names; none where the agent has no such tool. */
      readonly tool: Tool | undefined
    }
    after: {
      /** The call. */
      readonly call: Call
      /** The tool that the call names; none where the agent has no such tool. */
      readonly tool: Tool | undefined
      /** Its result, frozen; `replace(value)` puts another in its place. */
      readonly result: ToolResult
    }
    /** A plain value means `ok`. */
    result: unknown
    next: Call
    returns: ToolResult
  }
  /** Decides whether another step follows. */
  decide: { before: Deciding; after: Deciding; result: unknown }
  /** A hook's own model call. */
  generate: {
    takes: 'prompt'
    gives: 'reply'
    before: TakesPrompt
    wrap: Withdraws
    after: Replied
    result: Message | string
    next: Prompt
    returns: Message
  }
}

export type BuiltIn = keyof StageFields

type NamesOf<Kind extends 'takes' | 'gives'> = {
  [Stage in BuiltIn]: StageFields[Stage] extends Readonly<Record<Kind, infer Name>> ? Name : never
}[BuiltIn]
/** Members of `ctx` that are the input of a stage. */
export type InputName = NamesOf<'takes'>
/** Members of `ctx` that are the result of a stage. */
export type ResultName = NamesOf<'gives'>

type KeysOfEach<Fields> = Fields extends unknown ? keyof Fields : never
/** Every member of `ctx` that only hooks of some stages have. */
export type FieldName = KeysOfEach<StageFields[BuiltIn]['before' | 'after']>

/** Every built-in stage: one of `StageFields` that is not here is a type error. */
export const builtInNames: readonly string[] = Object.keys({
  turn: true,
  input: true,
  step: true,
  model: true,
  detect: true,
  append: true,
  tools: true,
  tool: true,
  decide: true,
  generate: true,
} satisfies Record<BuiltIn, true>)
