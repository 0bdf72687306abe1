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

/** The three hooks of every built-in stage: written out, so that an editor shows what each is for. */
export interface StageHookPoints {
  /** Before the turn's stages. May assign `ctx.message`; `skip(text)` answers without the loop. */
  beforeTurn: ['before', 'turn']
  /** Around the whole turn. `next()` works it to its end; calling it again begins it anew. */
  wrapTurn: ['wrap', 'turn']
  /** After the turn, whatever happened; `ctx.result` says how it ended. `replace(…)` changes the result. */
  afterTurn: ['after', 'turn']
  /** Before the user's message is taken. May assign `ctx.message`. */
  beforeInput: ['before', 'input']
  /** Around taking the user's message. */
  wrapInput: ['wrap', 'input']
  /** After the user's message was taken, before it is recorded. */
  afterInput: ['after', 'input']
  /** Before a step: a model call and the tools it asked for. The place for limits. */
  beforeStep: ['before', 'step']
  /** Around a step. */
  wrapStep: ['wrap', 'step']
  /** After a step, whatever happened. `ctx.goesOn` says whether another one follows. */
  afterStep: ['after', 'step']
  /** Before the model is called. May change `ctx.prompt`; `skip(reply)` gives a ready reply. */
  beforeModel: ['before', 'model']
  /** Around the model call: retry, cache, fallback. Each `next(prompt?)` is an attempt of its own; return its reply. */
  wrapModel: ['wrap', 'model']
  /** After the model has replied, or failed. `replace(reply)` changes the reply before it is recorded. */
  afterModel: ['after', 'model']
  /** Before the calls in the reply are looked for. `skip(calls)` gives others. */
  beforeDetect: ['before', 'detect']
  /** Around looking for the calls in the reply. */
  wrapDetect: ['wrap', 'detect']
  /** After the calls in the reply were found: `ctx.calls`. */
  afterDetect: ['after', 'detect']
  /** Before a message is recorded, of any role. May assign `ctx.message`; the message is recorded in any case. */
  beforeAppend: ['before', 'append']
  /** Around recording a message. Must call `next`. */
  wrapAppend: ['wrap', 'append']
  /** After a message was recorded; `ctx.result` is its node in the tree. */
  afterAppend: ['after', 'append']
  /** Before a batch of calls. May assign `ctx.calls`; `skip()` runs none of them. */
  beforeTools: ['before', 'tools']
  /** Around a batch of calls. */
  wrapTools: ['wrap', 'tools']
  /** After a batch of calls: `ctx.results`, in call order. */
  afterTools: ['after', 'tools']
  /** Before one call, in call order and one at a time. May assign `ctx.call`; `block(reason)` refuses it, `skip(value)` gives its result. */
  beforeTool: ['before', 'tool']
  /** Around one call: retry, cache, time-out. Return the result of `next(call?)`, or another value. */
  wrapTool: ['wrap', 'tool']
  /** After one call, whatever happened to it: `ctx.result`. `replace(value)` changes the result before it is recorded. */
  afterTool: ['after', 'tool']
  /** Before it is decided whether the turn goes on. */
  beforeDecide: ['before', 'decide']
  /** Around the decision whether the turn goes on. */
  wrapDecide: ['wrap', 'decide']
  /** After the decision: `ctx.goesOn`. The place for critics: `again(message)` asks for another step, `finish` or `stop` end the turn. */
  afterDecide: ['after', 'decide']
  /** Before a hook's own model call (`ctx.generate`). May change `ctx.prompt`. */
  beforeGenerate: ['before', 'generate']
  /** Around a hook's own model call. */
  wrapGenerate: ['wrap', 'generate']
  /** After a hook's own model call. */
  afterGenerate: ['after', 'generate']
}

type NameOf<Kind extends 'takes' | 'gives', Stage extends BuiltIn> =
  StageFields[Stage] extends Readonly<Record<Kind, infer Name>> ? Name : undefined
/** The member of `ctx` that is a stage's input. */
export type InputNameOf<Stage extends BuiltIn> = NameOf<'takes', Stage>
/** The member of `ctx` that is a stage's result, besides `ctx.result`. */
export type ResultNameOf<Stage extends BuiltIn> = NameOf<'gives', Stage>
/** Members of `ctx` that are the input of a stage. */
export type InputName = NonNullable<{ [Stage in BuiltIn]: InputNameOf<Stage> }[BuiltIn]>
/** Members of `ctx` that are the result of a stage. */
export type ResultName = NonNullable<{ [Stage in BuiltIn]: ResultNameOf<Stage> }[BuiltIn]>

type KeysOfEach<Fields> = Fields extends unknown ? keyof Fields : never
/** Members of `ctx` that only hooks of some stages have, and that are more than the input or the result of a stage by its name. */
export type FieldName = Exclude<KeysOfEach<StageFields[BuiltIn]['before' | 'after']>, InputName | ResultName>

/** Every built-in stage, in the order of the loop as it comes: one of `StageFields` that is not here is a type error. */
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
