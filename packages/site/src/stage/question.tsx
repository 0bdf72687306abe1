import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import type { WireRequest } from 'turnbuckle/client'

interface Given {
  readonly request: WireRequest
  onAnswer(requestId: string, answer: unknown): void
}

/** A question to the visitor. It takes the focus, its buttons do not: no stray Enter grants anything. */
export function Question({ request, onAnswer }: Given): ReactNode {
  const { id, kind, payload } = request
  const card = useRef<HTMLElement>(null)
  useEffect(() => card.current?.focus({ preventScroll: true }), [])
  const answer = (decision: 'allow' | 'deny') =>
    onAnswer(id, decision === 'deny' ? { decision, reason: 'You said no.' } : { decision })
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'y') answer('allow')
    if (event.key === 'n') answer('deny')
  }
  return (
    <section className="question" ref={card} tabIndex={-1} aria-labelledby={`q-${id}`} onKeyDown={onKeyDown}>
      <h2 id={`q-${id}`}>{titleOf(kind, payload)}</h2>
      <p className="question-note">The turn waits for you, and its clock stands still.</p>
      <div className="question-buttons">
        <button type="button" className="button primary" onClick={() => answer('allow')}>
          Allow <kbd>y</kbd>
        </button>
        <button type="button" className="button" onClick={() => answer('deny')}>
          Deny <kbd>n</kbd>
        </button>
      </div>
    </section>
  )
}

interface Payload {
  readonly name?: string
  readonly args?: unknown
  readonly limit?: string
  readonly used?: number | string
  readonly more?: number
}

function titleOf(kind: string, payload: unknown): string {
  const { name, args, limit, used, more } = (payload ?? {}) as Payload
  if (kind === 'permission' && name) return `May ${name} run with ${JSON.stringify(args)}?`
  if (kind === 'continuation' && limit) return `${amount(limit, used)} used. ${amount(limit, more)} more?`
  return `${kind}: ${JSON.stringify(payload)}`
}

const amount = (limit: string, value: number | string | undefined): string =>
  limit === 'cost' && typeof value === 'number' ? `$${value.toFixed(2)}` : `${value} ${limit}`
