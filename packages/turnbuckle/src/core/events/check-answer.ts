import { messageOf, TurnbuckleError } from '../base/errors.ts'
import { type JsonSchema, schemaProblem } from '../base/schema-problem.ts'
import type { AnswerOptions, AskOptions, Request } from './request.ts'

const text = { type: 'string' }
const more = { type: 'number', exclusiveMinimum: 0 }

/** The schema of the answer to a permission request. */
export const permissionSchema: JsonSchema = {
  type: 'object',
  properties: {
    decision: { enum: ['allow', 'deny'] },
    scope: { enum: ['once', 'conversation', 'project', 'always'] },
    reason: text,
    args: {},
    pattern: text,
    expires: more,
    uses: more,
  },
  required: ['decision'],
  additionalProperties: false,
}

/** The answers of requests whose kind is the loop's own. */
const schemas: Readonly<Record<string, JsonSchema>> = {
  permission: permissionSchema,
  outcome: {
    type: 'object',
    properties: { outcome: { enum: ['happened', 'not', 'stop'] }, value: {} },
    required: ['outcome'],
    additionalProperties: false,
  },
}

interface Given extends AnswerOptions {
  readonly answer: unknown
  /** The time of the answer. */
  readonly at: number
}

/**
 * The one check of an answer, whether the turn that asked runs, is parked, or is in another process. Throws `request.foreign`,
 * `request.expired` or `request.invalid`. The asker's own `check` is left to the process that has it.
 */
export function checkAnswer(request: Request, given: Given): void {
  const { id, kind, deadline, payload } = request
  const { answer, by, at } = given
  if (!mayAnswer(request, given)) throw new TurnbuckleError('request.foreign', 'That question was not put to you.')
  if (deadline !== undefined && at >= deadline)
    throw new TurnbuckleError('request.expired', `The request "${id}" is over: nobody answered in time.`)
  const problem = voteProblem(request, by) ?? answerProblem(request, answer) ?? patternProblem(kind, payload, answer)
  if (problem !== undefined) throw invalidAnswer(kind, problem)
}

/**
 * True for the conversation's owner, and for the people whom the request names. Where it names none, for those who talk in the
 * conversation, and without an owner for everybody.
 */
export function mayAnswer({ to }: Pick<Request, 'to'>, { by, owner, talks }: AnswerOptions): boolean {
  if (by === undefined || by === owner) return true
  if (to) return to.includes(by) || to.includes('*')
  return owner === undefined || talks === true
}

/** What the asker's own function finds wrong with an answer, in words. */
export function problemByAsker(answer: unknown, check: AskOptions['check']): string | undefined {
  try {
    check?.(answer)
    return undefined
  } catch (error) {
    return messageOf(error)
  }
}

export const invalidAnswer = (kind: string, problem: string): TurnbuckleError =>
  new TurnbuckleError('request.invalid', `That does not answer the ${kind} request. ${problem}`)

function voteProblem({ voted }: Request, by: string | undefined): string | undefined {
  if (!voted) return undefined
  if (!by) return 'Several people decide here: say who answers, answer(id, answer, { by }).'
  return voted.includes(by) ? `${by} has answered already; somebody else must.` : undefined
}

function answerProblem({ kind, payload, schema }: Request, answer: unknown): string | undefined {
  if (answer === undefined) return 'The answer is empty.'
  const form = schema ?? schemas[kind] ?? formIn(payload)
  if (form) return schemaProblem(form, answer)
  // A `by` that nobody has declared would pass for the author of the answer.
  const isSigned = typeof answer === 'object' && answer !== null && 'by' in answer
  return isSigned ? 'There is no field "by": who answers is not part of the answer.' : undefined
}

/** The schema of a form that the payload has, as people are shown it. */
function formIn(payload: unknown): JsonSchema | undefined {
  const { schema } = (payload ?? {}) as { readonly schema?: JsonSchema | null }
  return typeof schema === 'object' && schema?.properties ? schema : undefined
}

/** A permission for longer than once covers one of the patterns that the person was shown. */
function patternProblem(kind: string, payload: unknown, answer: unknown): string | undefined {
  if (kind !== 'permission') return undefined
  const { patterns } = (payload ?? {}) as { readonly patterns?: unknown }
  const { pattern } = answer as { readonly pattern?: unknown }
  if (pattern === undefined || !Array.isArray(patterns) || patterns.includes(pattern)) return undefined
  return `The pattern must be one of those shown: ${patterns.join('; ')}.`
}
