import type { ReactNode } from 'react'
import { useAppState } from '../state/app-state.ts'
import { RequestCard } from './request-card.tsx'

/** Questions of other people's agents that name this person. They leave when somebody has answered. */
export function AskedRequests(): ReactNode {
  const requests = useAppState(app => app.askedRequests)
  if (!requests.length) return null
  return (
    <section className="column asked" aria-label="Asked of you">
      {requests.map(request => (
        <RequestCard key={request.id} request={request} owner={request.owner} />
      ))}
    </section>
  )
}
