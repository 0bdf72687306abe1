import { type ReactNode, useCallback, useEffect, useState } from 'react'
import type { StoredPermission } from 'turnbuckle/client'
import { callServer } from '../state/call-server.ts'

/** Stored permissions, each with a button that revokes it. */
export function Permissions(): ReactNode {
  const [list, setList] = useState<readonly StoredPermission[]>()
  const load = useCallback(
    () => void callServer(client => client.permissions()).then(found => found && setList(found)),
    [],
  )
  useEffect(load, [load])
  const revoke = (id: string) => void callServer(client => client.revokePermission(id)).then(load)
  if (!list) return <p className="rail-note">Loading …</p>
  if (!list.length)
    return <p className="rail-note">No standing choices. Answer a permission for longer than once to make one.</p>
  return (
    <ul className="middleware">
      {list.map(one => (
        <li key={one.id} className="permission">
          <span>
            <span className="directive">{String(one.decision ?? '')}</span>{' '}
            <code>{String(one.pattern ?? one.tool ?? one.id)}</code>
            {one.scope ? ` · ${String(one.scope)}` : ''}
          </span>
          <button type="button" className="button small" onClick={() => revoke(one.id)}>
            Revoke
          </button>
        </li>
      ))}
    </ul>
  )
}
