import type { ReactNode } from 'react'
import type { WireMiddleware } from 'turnbuckle/client'
import { isOnIn, switchOn } from './conversation/loading/load-middleware.ts'
import { useAppState } from './state/app-state.ts'
import { handFocusOn } from './ui/hand-focus-on.ts'
import { Icon } from './ui/icon.tsx'

/** Over every chat in which a guard is off, as long as it is: which, for whom, and who switched it. */
export function GuardStrip(): ReactNode {
  const openId = useAppState(app => app.openId)
  const middleware = useAppState(app => app.middleware)
  const off = middleware?.filter(one => one.guard && !isOnIn(one, openId)) ?? []
  return off.map(one => (
    <p key={one.name} className="guard-strip" role="note">
      <Icon name="warn" size={16} />
      <span>
        The guard <strong>{one.name}</strong> {offText(one, openId)}
      </span>
      {one.switchable.length > 0 && (
        <button type="button" className="link" onClick={() => void switchOn(one).then(handFocusOn)}>
          Switch it on
        </button>
      )}
    </p>
  ))
}

/** Says for whom a guard is off, who switched it, and whether any of its rules hold all the same. */
export const offText = (one: WireMiddleware, openId: string | undefined): string =>
  `is off ${scopeText(one, openId)}.${one.holdsWhenOff ? ' Only its deny rules hold.' : ''}`

function scopeText({ inConversations, switched = [] }: WireMiddleware, openId: string | undefined): string {
  const here = openId !== undefined && inConversations?.[openId] === false
  const last = switched.find(({ conversationId }) => conversationId === (here ? openId : undefined))
  const when = last && new Date(last.at).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' })
  return `${here ? 'in this conversation' : 'for everyone'}${last ? ` (${last.by}, ${when})` : ''}`
}
