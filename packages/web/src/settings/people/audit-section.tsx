import { type ReactNode, useCallback, useEffect, useState } from 'react'
import type { AuditEntry } from 'turnbuckle/client'
import { callServer } from '../../state/call-server.ts'
import { AuditRow } from './audit-row.tsx'

const pageSize = 50

/** Who answered, voted, granted, switched, shared, trusted and configured what, newest first. */
export function AuditSection(): ReactNode {
  const [entries, setEntries] = useState<readonly AuditEntry[]>()
  const [isWhole, setWhole] = useState(false)
  const read = useCallback(async (known: readonly AuditEntry[]) => {
    const before = known.at(-1)?.id
    const more = await callServer(client => client.audit({ limit: pageSize, ...(before ? { before } : {}) }))
    if (!more) return
    setEntries([...known, ...more])
    setWhole(more.length < pageSize)
  }, [])
  useEffect(() => void read([]), [read])
  if (!entries) return <p className="rail-note">Loading …</p>
  if (!entries.length) return <p className="settings-lead">Nobody has done anything that is kept here yet.</p>
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled with the keyboard */}
      <section className="settings-table stacked-table" aria-label="Audit list" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">When</th>
              <th scope="col">Who</th>
              <th scope="col">Did</th>
              <th scope="col">What</th>
              <th scope="col">How</th>
            </tr>
          </thead>
          <tbody>
            {entries.map(entry => (
              <AuditRow key={entry.id} entry={entry} />
            ))}
          </tbody>
        </table>
      </section>
      {!isWhole && (
        <button type="button" className="button" onClick={() => void read(entries)}>
          Show earlier ones
        </button>
      )}
    </>
  )
}
