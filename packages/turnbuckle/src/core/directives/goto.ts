import { demand } from '../base/errors.ts'
import type { Pipeline } from '../types/pipeline.ts'
import { Directive } from './directives.ts'

/** Jumps to a stage of the step by name, or hands over to another pipeline. */
export function goto(to: string | Pipeline): Directive<'goto'> {
  demand(
    typeof to === 'string' || to?.step,
    'goto.target',
    'Go to a stage by its name, or to a pipeline: goto("model").',
  )
  return new Directive('goto', typeof to === 'string' ? to : 'another pipeline', to)
}
