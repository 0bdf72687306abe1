import type { WireRequest } from 'turnbuckle/client'
import { formatMoment } from '../ui/format-moment.ts'

interface People {
  readonly quorum?: { readonly needed: number; readonly given: number }
  /** The person who has passed the question on. */
  readonly from?: string
  /** The person who is asked when the deadline has passed. */
  readonly next?: string
}

/** The people of a request in words: whose agent asks, who is asked besides the owner, how a vote stands, who is asked next, why it is asked again. */
export function requestPeople({ to, voted, payload, again, deadline }: WireRequest, owner?: string): readonly string[] {
  const { quorum, from, next } = (payload ?? {}) as People
  const named = to?.filter(person => person !== '*') ?? []
  return [
    ...(owner === undefined ? [] : [`The agent of ${owner} asks you.`]),
    ...(named.length ? [`Asked of ${named.join(', ')}.`] : []),
    ...(from === undefined ? [] : [`Passed on by ${from}.`]),
    ...(quorum ? [`${quorum.given} of ${quorum.needed} have said yes${votes(voted)}. One no is enough.`] : []),
    ...(next === undefined || deadline === undefined
      ? []
      : [`If nobody answers by ${formatMoment(deadline)}, ${next} is asked.`]),
    ...(again ? [`The answer before could not be used: ${again.problem}`] : []),
  ]
}

const votes = (voted: readonly string[] | undefined): string => (voted?.length ? `: ${voted.join(', ')}` : '')
