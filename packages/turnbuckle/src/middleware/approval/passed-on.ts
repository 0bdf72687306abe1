import type { JsonSchema } from '../../core/base/schema-problem.ts'
import { permissionSchema } from '../../core/events/check-answer.ts'
import type { PermissionAnswer } from '../../core/events/request.ts'

/** The answer of a person who passes a permission question on, where the question names `delegates`. */
export interface PassedOn {
  readonly decision: 'delegate'
  /** The person to ask instead: one of the question's `delegates`. */
  readonly to: string
  /** The person who passed it on, where that is known. `ask` gives it; an answer has no such field. */
  readonly by?: string
}

export const isPassedOn = (answer: PermissionAnswer | PassedOn): answer is PassedOn => answer.decision === 'delegate'

/**
 * The schema of an answer to a question that may be passed on. Only such a question has it: any other asker takes each answer that is
 * not a no for a yes.
 */
export const schemaWithDelegates = (delegates: readonly string[]): JsonSchema => ({
  anyOf: [
    permissionSchema,
    {
      type: 'object',
      properties: {
        decision: { const: 'delegate' },
        to: delegates.includes('*') ? { type: 'string', minLength: 1 } : { enum: delegates },
      },
      required: ['decision', 'to'],
      additionalProperties: false,
    },
  ],
})
