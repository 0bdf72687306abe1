import { block, type Directive, stop } from '../../core/directives/directives.ts'
import type { ShownChunk } from '../../core/hooks/hook-types.ts'
import { type Middleware, middleware } from '../../core/hooks/middleware.ts'
import { type Flowing, isFlowing, isSaid } from '../flowing.ts'
import { PerTurn } from '../per-turn.ts'
import { cleanResult } from './clean-result.ts'
import { Cleaner } from './cleaner.ts'
import type { Detector } from './detect.ts'
import { type Decided, decide, type Held, nothingHeld } from './held.ts'
import { list } from './list.ts'
import type { Redaction } from './places.ts'
import { render, type Style, styleOf } from './style.ts'
import { isTainted, taint, tainted } from './tainted.ts'

type Kind = Flowing['type']

interface Streaming {
  readonly type: Kind
  readonly held: Held
}
type Piece = Decided & {
  readonly type: Kind
  /** The provider's own data, to be sent back to it. It closes its part, and may come with no text at all. */
  readonly meta?: unknown
  /** Closes its part without any. */
  readonly end?: true | undefined
  /** The kinds of finds in that data. */
  readonly quoted?: readonly string[]
}

/** The guard on the deltas, and on the calls among them. */
export function stream({
  name,
  description,
  priority = 1000,
  detectors,
  style,
  calls,
  output = true,
  results = true,
}: Redaction): Middleware {
  const clean = new Cleaner(detectors, style === 'block' ? styleOf('redact') : style)
  const streams = new PerTurn<Streaming>({ type: 'text', held: nothingHeld })
  return middleware<readonly string[]>({
    name: `${name}.stream`,
    description,
    guard: true,
    priority,
    // On the guard, which holds in sub-agents and in every pipeline: their decisions are in the caller's `explain()` and log.
    redacts: text => clean.text(text).value,
    ...(results ? { redactsResult: result => cleanResult(clean, result, style === 'block') } : {}),
    // Calls whose arguments carried a find; they do not run.
    state: [],
    onChunk(chunk, ctx) {
      const { turn } = ctx
      // Each attempt is a stream of its own: what an abandoned one has left behind is not shown with the next.
      if (chunk.type === 'start') streams.reset(turn)
      if (!output || !isSaid(chunk)) return
      const pieces = flow(streams.of(turn), chunk, detectors).map(piece => withoutQuotes(piece, clean))
      const last = pieces.at(-1)
      if (last) streams.set(turn, { type: last.type, held: last.held })
      const shown = show(pieces, style)
      if (isFlowing(chunk) || chunk.type === 'end') return shown
      if (chunk.type !== 'call' || calls === 'pass') return after(shown, withoutText(chunk))
      const { value, kinds } = clean.data(chunk.args)
      if (!kinds.length) return after(shown, chunk)
      ctx.update(found => [...found, taint(turn, chunk.id)])
      return after(shown, { ...chunk, args: value })
    },
    ...(calls === 'pass'
      ? {}
      : {
          beforeTool({ turn, call, state }) {
            const { kinds } = clean.data(call.args)
            if (kinds.length || isTainted(state, turn, call)) return block(tainted(kinds))
          },
        }),
  })
}

/** The pieces that a chunk lets through: more of one kind flows on, any other chunk ends the text held before. */
function flow({ type, held }: Streaming, chunk: ShownChunk, detectors: readonly Detector[]): Piece[] {
  const goesOn = chunk.type === type
  const ended: Piece = { type, ...decide(held, '', detectors, true), held: nothingHeld }
  if (!isFlowing(chunk)) return [ended]
  const { type: own, text, meta, end } = chunk
  const decided = decide(goesOn ? held : nothingHeld, text, detectors, meta !== undefined || end === true)
  const piece = { type: own, meta, end, ...decided }
  return goesOn ? [piece] : [ended, piece]
}

/** Data of the provider's with a find in it is not shown, and its part is closed without. */
function withoutQuotes(piece: Piece, clean: Cleaner): Piece {
  if (piece.meta === undefined) return piece
  const { value: meta, kinds } = clean.meta(piece.meta)
  return kinds.length ? { ...piece, meta, end: true, quoted: kinds } : piece
}

type Shown = ShownChunk[] | Directive<'block' | 'stop'>

function show(pieces: readonly Piece[], style: Style | 'block'): Shown {
  const kinds = pieces.flatMap(({ found, quoted = [] }) => [...found.map(({ kind }) => kind), ...quoted])
  if (style === 'block' && kinds.length) return stop(`The reply contains ${list(kinds)}.`)
  return pieces
    .filter(({ text, meta, end }) => text || meta !== undefined || end)
    .map(({ type, text, found, meta, end }) => ({
      type,
      text: style === 'block' ? text : render(text, found, style),
      ...(meta === undefined ? {} : { meta }),
      ...(end && { end }),
    }))
}

/** Arguments are looked at when they are whole: until then only the name of the tool is shown. */
const withoutText = (chunk: ShownChunk): ShownChunk => (chunk.type === 'calling' ? { ...chunk, text: '' } : chunk)

/** The chunk behind what was shown before it. */
const after = (shown: Shown, chunk: ShownChunk): Shown => (Array.isArray(shown) ? [...shown, chunk] : shown)
