import { type ReactNode, useState } from 'react'
import type { MiddlewareSetting, WireMiddleware, WireMiddlewareEntry } from 'turnbuckle/client'
import { formatJson } from '../../ui/format-json.ts'
import { FileNote } from '../source-note.tsx'
import { EntryForm } from './entry-form.tsx'

interface EntryActions {
  readonly save: (entry: MiddlewareSetting) => Promise<boolean>
  readonly remove: () => Promise<boolean>
}

interface Props {
  /** Absent for an entry that works from the next start on. */
  readonly middleware: WireMiddleware | undefined
  readonly entry: WireMiddlewareEntry | undefined
  /** For an entry that this person may change. */
  readonly actions?: EntryActions | undefined
}

/** A middleware of the agent, with its entry of the settings where it has one. */
export function MiddlewareItem({ middleware, entry, actions }: Props): ReactNode {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <p className="settings-item-head">
        <strong>{middleware?.name ?? entry?.use}</strong>
        {middleware ? <State middleware={middleware} /> : <span className="mark-word">from the next start on</span>}
        {entry && <FileNote from={entry.from} />}
      </p>
      {middleware?.description && <p>{middleware.description}</p>}
      {entry && entry.use !== middleware?.name && middleware && <p className="about">{entry.use}</p>}
      {entry?.options !== undefined && !isOpen && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: long options are scrolled with the keyboard
        <pre className="value" tabIndex={0}>
          {formatJson(entry.options)}
        </pre>
      )}
      {entry && actions && isOpen && (
        <EntryForm entry={entry} names={[]} save={actions.save} done={() => setOpen(false)} />
      )}
      {entry && actions && !isOpen && (
        <div className="settings-actions">
          <button
            type="button"
            className="button small"
            aria-label={`Change ${entry.use}`}
            onClick={() => setOpen(true)}
          >
            Change
          </button>
          <button
            type="button"
            className="button small danger"
            aria-label={`Remove ${entry.use}`}
            onClick={() => void actions.remove()}
          >
            Remove
          </button>
        </div>
      )}
    </>
  )
}

function State({ middleware: { guard, enabled, priority } }: { readonly middleware: WireMiddleware }): ReactNode {
  return (
    <>
      {guard && <span className="mark-word">guard</span>}
      <span className="mark-word" data-tone={enabled ? 'allow' : 'deny'}>
        {enabled ? 'on' : 'off'}
      </span>
      <span className="about">priority {priority}</span>
    </>
  )
}
