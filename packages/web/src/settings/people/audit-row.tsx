import type { ReactNode } from 'react'
import type { AuditEntry } from 'turnbuckle/client'

/** An act in the audit list: when, who, what, and how far it reaches. */
export function AuditRow({ entry }: { readonly entry: AuditEntry }): ReactNode {
  const { at, by, act, what, decision, scope, pattern } = entry
  return (
    <tr>
      <td>
        <time dateTime={new Date(at).toISOString()}>
          {new Date(at).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' })}
        </time>
      </td>
      <td className="wrapped" data-label="Who">
        {by}
      </td>
      <td data-label="Did">{act.replace('.', ' ')}</td>
      <td className="wrapped" data-label="What">
        {what}
      </td>
      <td className="wrapped" data-label="How">
        {[decision, scope, pattern, reachOf(entry)].filter(Boolean).join(' ')}
      </td>
    </tr>
  )
}

/** A switch without a conversation is one for everyone. */
function reachOf({ act, conversationId }: AuditEntry): string | undefined {
  if (act !== 'switched') return undefined
  return conversationId === undefined ? 'for everyone' : 'in one conversation'
}
