import { type ReactNode, useCallback, useEffect, useState } from 'react'
import type { StoredPermission } from 'turnbuckle/client'
import { followLinkHere } from '../conversation/follow-link-here.ts'
import { useAppState } from '../state/app-state.ts'
import { callServer } from '../state/call-server.ts'
import { addressOf } from '../state/conversation-in-address.ts'
import { formatMoment } from '../ui/format-moment.ts'

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
        <PermissionItem key={one.id} permission={one} revoke={() => revoke(one.id)} />
      ))}
    </ul>
  )
}

interface ItemProps {
  readonly permission: StoredPermission
  readonly revoke: () => void
}

export function PermissionItem({ permission, revoke }: ItemProps): ReactNode {
  const { decision, pattern, tool, id } = permission
  const what = String(pattern ?? tool ?? id)
  return (
    <li className="permission">
      <span>
        <span className="directive" data-decision={String(decision ?? '')}>
          {String(decision ?? '')}
        </span>{' '}
        <code>{what}</code>
        <span className="permission-reach">
          <Place permission={permission} />
          {limits(permission)}
        </span>
      </span>
      <button type="button" className="button small" aria-label={`Revoke: ${what}`} onClick={revoke}>
        Revoke
      </button>
    </li>
  )
}

const places: Readonly<Record<string, string>> = { project: 'in this project', always: 'always' }

/** Says where a permission holds. That of another conversation leads there: one cannot tell it by its pattern. */
function Place({ permission: { scope, conversationId } }: Pick<ItemProps, 'permission'>): ReactNode {
  const openId = useAppState(app => app.openId)
  if (scope !== 'conversation' || typeof conversationId !== 'string')
    return places[String(scope)] ?? String(scope ?? '')
  if (conversationId === openId) return 'in this conversation'
  return (
    <>
      in{' '}
      <a className="link" href={addressOf(conversationId)} onClick={event => followLinkHere(event, conversationId)}>
        another conversation
      </a>
    </>
  )
}

function limits({ expiresAt, usesLeft }: StoredPermission): string {
  const until = typeof expiresAt === 'number' ? ` · until ${formatMoment(expiresAt)}` : ''
  return typeof usesLeft === 'number' ? `${until} · ${usesLeft} more ${usesLeft === 1 ? 'call' : 'calls'}` : until
}
