import type { Maybe } from '../core/base/maybe.ts'
import type { Schema } from '../core/base/ports.ts'
import { replace } from '../core/directives/directives.ts'
import { type Middleware, middleware } from '../core/hooks/middleware.ts'
import { checkOptions, type Shape } from './check-options.ts'
import * as is from './kinds.ts'
import { fit } from './schema-fit.ts'

/** Says what is wrong with a result, or nothing. */
export type ResultCheck = (value: unknown) => Maybe<string | undefined>

/** The options of `validateResult`. */
export interface ValidateResultOptions {
  /** By tool: any Standard Schema, or a function. */
  readonly results: Readonly<Record<string, Schema | ResultCheck>>
}

const shape = (): Shape<ValidateResultOptions> => ({ results: is.needed(is.record(is.either(is.run, is.schema))) })

/**
 * Checks what tools give back; what does not fit becomes an `error` result that says why, so that the model can do
 * something else. Fails closed: when a check throws, the result is withheld.
 *
 * ```ts
 * createAgent({ model, tools, use: [validateResult({ results: { weather: z.object({ celsius: z.number() }) } })] })
 * ```
 */
export function validateResult(options: ValidateResultOptions): Middleware {
  checkOptions('validateResult', options, shape)
  const { results } = options
  return middleware({
    name: 'validate-result',
    description: 'Checks results of tools.',
    tools: Object.keys(results),
    onFailure: 'closed',
    async afterTool({ call, result }) {
      const expected = results[call.name]
      if (!expected || result?.status !== 'ok') return
      const problem =
        typeof expected === 'function' ? await expected(result.value) : await mismatch(expected, result.value)
      if (problem !== undefined)
        return replace({ status: 'error', value: `The result of ${call.name} is not usable. ${problem}` })
    },
  })
}

async function mismatch(schema: Schema, value: unknown): Promise<string | undefined> {
  const found = await fit(schema, value)
  return 'problem' in found ? found.problem : undefined
}
