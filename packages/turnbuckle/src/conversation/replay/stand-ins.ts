import { demand } from '../../core/base/errors.ts'
import type { Model, Prompt } from '../../core/base/ports.ts'

/** A question of the replayed turn that the record has no answer to. */
export interface StandInQuestion {
  /** The kind of question: `permission`. */
  readonly kind: string
  /** The question itself, as its asker put it. */
  readonly payload: unknown
  /** The recorded turn. */
  readonly turnId: string
}

/**
 * Answers in the place of people, by the kind of question (`permission`), `'*'` for any other; or a function, which gives undefined
 * where it has none. For a permission the words `'allow'` and `'deny'` do. An answer of the record comes first.
 */
export type StandInAnswers = Readonly<Record<string, unknown>> | ((question: StandInQuestion) => unknown)

/** A model call of a hook, as a stand-in is chosen for it. */
export interface StandInCall {
  /** The id of the model that the hook asks. */
  readonly model: string
  /** The prompt of the call. */
  readonly prompt: Prompt
}

/**
 * Models that answer the calls of hooks (`ctx.generate`), by the id of the model that a hook asks, `'*'` for any other; or a function.
 * They are really asked: scripted ones cost nothing.
 */
export type StandInModels = Readonly<Record<string, Model>> | ((call: StandInCall) => Model | undefined)

/** The stand-in for a person's answer; undefined where there is none. */
export function standInAnswer(answers: StandInAnswers | undefined, question: StandInQuestion): unknown {
  const { kind } = question
  const answer = typeof answers === 'function' ? answers(question) : chosen(answers, kind)
  return kind === 'permission' && typeof answer === 'string' ? { decision: answer } : answer
}

/** The person whom a stand-in's answer counts as: another for each vote of a quorum; nobody in particular elsewhere. */
export function standInPerson(payload: unknown): string | undefined {
  const { quorum } = Object(payload) as { readonly quorum?: { readonly given: number } }
  return quorum && `stand-in ${quorum.given + 1}`
}

/** The stand-in for the model that a hook asks; undefined where there is none. */
export function standInModel(models: StandInModels | undefined, call: StandInCall): Model | undefined {
  if (typeof models !== 'function') return chosen(models, call.model)
  const model = models(call)
  if (model !== undefined) demandModel(model, `What replay({ models }) gave for ${JSON.stringify(call.model)}`)
  return model
}

function chosen<Value>(table: Readonly<Record<string, Value>> = {}, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : Object.hasOwn(table, '*') ? table['*'] : undefined
}

/** Refuses a stand-in that is no model. `option` names where it comes from. */
export function demandModel(model: unknown, option: string): void {
  const fits = typeof (model as Partial<Model> | null | undefined)?.stream === 'function'
  const isWhich =
    typeof model === 'function'
      ? ' A function of the call is given in place of the table: replay({ models: call => model }).'
      : ''
  demand(fits, 'replay.options', `${option} is no model: it has no stream(prompt, options).${isWhich}`)
}
