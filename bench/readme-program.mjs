/**
 * The README's own program, as a row's job: the default agent (50 steps at most, breaker on), tools with a zod schema, and
 * a model that answers asynchronously. `run.mjs --readme` measures every row of the README's table like this.
 */
import { z } from 'zod'

const input = z.object({ n: z.number() })

export function asReadmeProgram(job) {
  job.script.asynchronous = true
  return { ...job, defaults: true, tools: job.tools.map(tool => ({ ...tool, input })) }
}
