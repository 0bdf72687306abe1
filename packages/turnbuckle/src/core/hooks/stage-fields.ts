import type { Call, Message, ToolResult } from '../base/message.ts'
import type { Prompt } from '../base/ports.ts'
import type { Node } from '../history/tree.ts'
import type { TurnResult } from '../types/turn.ts'

/**
 * The further members of `ctx`, by stage and point. `takes`: the one that is the stage's input; `gives`: the one that is its
 * result, besides `ctx.result`.
 */
export interface StageFields {
  turn: {
    takes: 'message'
    before: { message: Message }
    after: { readonly message: Message; readonly result: TurnResult }
    result: TurnResult | string
  }
  input: {
    takes: 'message'
    before: { message: Message }
    after: { readonly message: Message; readonly result: Message }
    result: Message
  }
  step: { before: object; after: { readonly reply: Message | undefined; readonly goesOn: boolean }; result: unknown }
  model: {
    takes: 'prompt'
    gives: 'reply'
    before: { prompt: Prompt }
    after: { readonly prompt: Prompt; readonly reply: Message; readonly result: Message }
    result: Message | string
    next: Prompt
    returns: Message
  }
  detect: {
    before: { readonly reply: Message }
    after: { readonly reply: Message; readonly calls: readonly Call[]; readonly result: readonly Call[] }
    result: readonly Call[]
  }
  append: {
    takes: 'message'
    before: { message: Message }
    after: { readonly message: Message; readonly result: Node }
    result: Node
    next: Message
  }
  tools: {
    takes: 'calls'
    gives: 'results'
    before: { calls: readonly Call[]; readonly reply: Message }
    after: {
      readonly calls: readonly Call[]
      readonly results: readonly ToolResult[]
      readonly result: readonly ToolResult[]
    }
    result: readonly ToolResult[]
    next: readonly Call[]
  }
  tool: {
    takes: 'call'
    before: { call: Call }
    after: { readonly call: Call; readonly result: ToolResult }
    /** A plain value means `ok`. */
    result: unknown
    next: Call
    returns: ToolResult
  }
  decide: {
    before: { readonly reply: Message | undefined; readonly goesOn: boolean }
    after: { readonly reply: Message | undefined; readonly goesOn: boolean }
    result: unknown
  }
  /** A hook's own model call. */
  generate: {
    takes: 'prompt'
    gives: 'reply'
    before: { prompt: Prompt }
    after: { readonly prompt: Prompt; readonly reply: Message; readonly result: Message }
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
