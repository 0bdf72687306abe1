import type { Call, Message, ToolResult } from '../base/message.ts'
import type { Prompt } from '../base/ports.ts'
import type { Node } from '../history/tree.ts'
import type { TurnResult } from '../types/turn.ts'

/** The further members of `ctx`, by stage and point. */
export interface StageFields {
  turn: {
    before: { message: Message }
    after: { readonly message: Message; readonly result: TurnResult }
    result: TurnResult | string
  }
  input: {
    before: { message: Message }
    after: { readonly message: Message; readonly result: Message }
    result: Message
  }
  step: { before: object; after: { readonly reply: Message | undefined; readonly goesOn: boolean }; result: unknown }
  model: {
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
    before: { message: Message }
    after: { readonly message: Message; readonly result: Node }
    result: Node
    next: Message
  }
  tools: {
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
    before: { prompt: Prompt }
    after: { readonly prompt: Prompt; readonly reply: Message; readonly result: Message }
    result: Message | string
    next: Prompt
    returns: Message
  }
}

export type BuiltIn = keyof StageFields

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
