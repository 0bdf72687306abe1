import { type ReactNode, useState } from 'react'
import { formatJson } from '../ui/format-json.ts'
import { Icon } from '../ui/icon.tsx'
import type { RequestFormProps } from './request-form-props.ts'

const choices = [
  { outcome: 'happened', label: 'It happened', effect: 'It is not run again; the agent goes on.' },
  { outcome: 'not', label: 'It did not happen', effect: 'It is run now.' },
  { outcome: 'stop', label: 'I do not know', effect: 'It is not run again, and the turn ends.' },
] as const

/**
 * Asks for the outcome of a call that was running when the server ended. The call is run again only when the person
 * says that it did not happen.
 */
export function OutcomeForm({ payload, busy, answer }: RequestFormProps): ReactNode {
  const { name = 'the tool', args } = (payload ?? {}) as { name?: string; args?: unknown }
  const [found, setFound] = useState('')
  return (
    <>
      <h2>
        <Icon name="warn" /> Did <code className="inline-code">{name}</code> happen?
      </h2>
      <p className="request-note">
        The server ended while it ran. It may have happened before that, so it is not simply run again. Look, and say
        what you found.
      </p>
      <pre className="value">{formatJson(args)}</pre>
      <label className="reason">
        <span>What came of it, if you know</span>
        <input value={found} onChange={event => setFound(event.target.value)} maxLength={2000} />
      </label>
      <ul className="outcomes">
        {choices.map(({ outcome, label, effect }) => (
          <li key={outcome}>
            <button
              type="button"
              className="button"
              disabled={busy}
              aria-describedby={`outcome-${outcome}`}
              onClick={() => answer({ outcome, ...(found.trim() && outcome !== 'not' ? { value: found.trim() } : {}) })}
            >
              {label}
            </button>
            <span id={`outcome-${outcome}`}>{effect}</span>
          </li>
        ))}
      </ul>
    </>
  )
}
