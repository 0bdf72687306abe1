import { type Middleware, middleware } from '../core/hooks/middleware.ts'
import { checkOptions, type Shape } from './check-options.ts'
import * as is from './kinds.ts'
import { isTrial } from './side-by-side.ts'

/** The port on which text appears. */
export interface Display {
  /**
   * Shows a piece of the reply and resolves once all of it can be seen. When `signal` is aborted before that, it shows
   * nothing of it.
   */
  show(text: string, signal: AbortSignal): void | Promise<void>
}

/** The options of `displayBuffer`. */
export interface DisplayBufferOptions {
  /** Shows text to the person. */
  readonly display: Display
}

const shape = (): Shape<DisplayBufferOptions> => ({ display: is.needed(is.port('show')) })

/**
 * Lets the reply grow only as fast as it is shown, so that after an interrupt exactly the text that was shown is kept: a
 * slow screen does not leave words in the history that nobody has seen. Behind everything that changes or withholds
 * text. A guard: when the display fails, the piece counts as not shown and the turn fails.
 *
 * ```ts
 * createAgent({ model, use: [displayBuffer({ display: { show: text => typewriter.write(text) } })] })
 * ```
 */
export function displayBuffer(options: DisplayBufferOptions): Middleware {
  checkOptions('displayBuffer', options, shape)
  const { display } = options
  return middleware({
    name: 'display-buffer',
    description: 'Keeps of a stopped reply what was shown.',
    guard: true,
    priority: 100_000,
    onChunk(chunk, ctx) {
      // Text of a sub-agent, or of another branch of `explore`, is no part of the reply.
      if (chunk.type !== 'text' || !chunk.text || ctx.turn.parent || isTrial(ctx.turn)) return
      // Nor is what a hook tells the model.
      if (ctx.message?.role === 'user') return
      const showing = display.show(chunk.text, ctx.signal)
      return showing?.then(() => chunk)
    },
  })
}
