import { TurnbuckleError } from '../core/base/errors.ts'
import { textOf } from '../core/base/message.ts'
import type { Schema } from '../core/base/ports.ts'
import { again, fail } from '../core/directives/directives.ts'
import { type Middleware, middleware } from '../core/hooks/middleware.ts'
import { changedPrompt } from '../core/model/build-prompt.ts'
import { tool } from '../core/tools/tool.ts'
import { checkArgument, checkOptions, type Shape } from './check-options.ts'
import { instructed } from './instructed.ts'
import * as is from './kinds.ts'
import { type Fit, fit } from './schema-fit.ts'

/** The options of `structured`. */
export interface StructuredOptions<Output> {
  /** The most times that the model repairs an answer that does not fit. 2 by default; then the turn fails. */
  readonly repairs?: number
  /** JSON Schema for the model, where `schema` cannot give one. */
  readonly jsonSchema?: object
  /** Gets the parsed answer of each turn. */
  readonly onValue?: (value: Output) => void
}

const known = (): Shape<StructuredOptions<unknown>> => ({
  repairs: is.number(0),
  jsonSchema: is.plain,
  onValue: is.run,
})

/**
 * The answer of a turn is JSON that fits a schema. The model is told the schema (also as `params.responseFormat`), and
 * what does not fit until it does. Read it with `readStructured`. Not a guard, but fails closed: a turn whose answer
 * does not fit fails with `structured.invalid`.
 *
 * ```ts
 * const agent = createAgent({ model, use: [structured(Weather)] })
 * const { city, celsius } = await readStructured(await agent.send('Weather in Oslo?'), Weather)
 * ```
 */
export function structured<Output>(schema: Schema<Output>, options: StructuredOptions<Output> = {}): Middleware {
  checkArgument('structured', 'schema', schema, is.schema)
  checkOptions('structured', options, known)
  const { repairs = 2, onValue } = options
  const shape = options.jsonSchema ?? tool({ name: 'answer', input: schema, run: () => undefined }).schema
  const told = `Your final answer is JSON alone, without any other text, and fits this JSON Schema:\n${JSON.stringify(shape)}`
  const responseFormat = { type: 'json', schema: shape }
  return middleware<{ readonly repaired: number }>({
    name: 'structured',
    description: 'Has the model answer in a given form.',
    // After hooks run in reverse: a critic or `refine`, wherever it is listed, sees only what fits.
    priority: 110,
    state: { repaired: 0 },
    onFailure: 'closed',
    beforeModel(ctx) {
      const prompt = instructed(ctx.prompt, told)
      // Some providers take a response format for a ban on tool calls.
      ctx.prompt = prompt.tools.length
        ? prompt
        : changedPrompt(prompt, { params: { responseFormat, ...prompt.params } })
    },
    async afterDecide(ctx) {
      if (ctx.status !== 'done' || ctx.goesOn || !ctx.reply) return
      const answer = await parse(textOf(ctx.reply), schema)
      if ('value' in answer) return void onValue?.(answer.value)
      if (ctx.state.repaired >= repairs) return fail(misfit(answer.problem))
      ctx.update(({ repaired }) => ({ repaired: repaired + 1 }))
      return again(`That does not fit the schema: ${answer.problem}\nAnswer with the corrected JSON alone.`)
    },
  })
}

/** The answer of a turn, parsed and typed. Throws `structured.invalid` when it does not fit. */
export async function readStructured<Output>(
  result: { readonly text: string },
  schema: Schema<Output>,
): Promise<Output> {
  const answer = await parse(result.text, schema)
  if ('value' in answer) return answer.value
  throw misfit(answer.problem)
}

const misfit = (problem: string): TurnbuckleError =>
  new TurnbuckleError('structured.invalid', `The answer does not fit the schema: ${problem}`, { kind: 'validation' })

async function parse<Output>(text: string, schema: Schema<Output>): Promise<Fit<Output>> {
  let data: unknown
  try {
    data = JSON.parse(bare(text))
  } catch (error) {
    return { problem: `it is not JSON (${(error as Error).message})` }
  }
  return fit(schema, data)
}

/** Models like to put JSON into a code block. */
const bare = (text: string): string => /^\s*```\w*\s*\n([\s\S]*?)\n?\s*```\s*$/.exec(text)?.[1] ?? text
