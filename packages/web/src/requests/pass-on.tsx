import { type ReactNode, useId, useState } from 'react'

interface PassOnProps {
  /** The people whom the question may be passed on to; `*` is everybody. */
  readonly delegates: readonly string[]
  readonly busy: boolean
  answer(value: unknown): void
}

/** Passes a question on to somebody else, who then decides. */
export function PassOn({ delegates, busy, answer }: PassOnProps): ReactNode {
  const list = useId()
  const [to, setTo] = useState('')
  const name = to.trim()
  const named = delegates.filter(person => person !== '*')
  const isOffered = name !== '' && (delegates.includes('*') || named.includes(name))
  return (
    <div className="request-actions">
      <input
        aria-label="Pass it on to"
        placeholder={`Pass it on to${named.length ? `: ${named.join(', ')}` : ''}`}
        list={list}
        value={to}
        onChange={event => setTo(event.target.value)}
        maxLength={200}
      />
      <datalist id={list}>
        {named.map(person => (
          <option key={person} value={person} />
        ))}
      </datalist>
      <button
        type="button"
        className="button"
        disabled={busy || !isOffered}
        onClick={() => answer({ decision: 'delegate', to: name })}
      >
        Pass on
      </button>
    </div>
  )
}
