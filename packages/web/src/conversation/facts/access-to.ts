import type { SharedAccess } from 'turnbuckle/client'
import type { AppState } from '../../state/app-state.ts'

type Known = Pick<AppState, 'me' | 'list' | 'conversation'>

/** What the person may do in a conversation, or, without one, on the blank page: a viewer only reads, wherever that is. */
export function accessTo({ me, list, conversation }: Known, id: string | undefined): SharedAccess | 'own' {
  if (me?.role === 'viewer') return 'read'
  // A sub-agent's conversation is in no list.
  const open = conversation?.id === id ? conversation : undefined
  return (list?.find(one => one.id === id) ?? open)?.access ?? 'own'
}
