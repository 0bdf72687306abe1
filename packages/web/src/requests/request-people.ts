import type { WireRequest } from 'turnbuckle/client'

/** The people of a request in words: whose agent asks, who is asked besides the owner, how a vote stands, why it is asked again. */
export function requestPeople({ to, voted, payload, again }: WireRequest, owner?: string): readonly string[] {
  const { quorum } = (payload ?? {}) as { readonly quorum?: { readonly needed: number; readonly given: number } }
  const named = to?.filter(person => person !== '*') ?? []
  return [
    ...(owner === undefined ? [] : [`The agent of ${owner} asks you.`]),
    ...(named.length ? [`Asked of ${named.join(', ')}.`] : []),
    ...(quorum ? [`${quorum.given} of ${quorum.needed} have said yes${votes(voted)}. One no is enough.`] : []),
    ...(again ? [`The answer before could not be used: ${again.problem}`] : []),
  ]
}

const votes = (voted: readonly string[] | undefined): string => (voted?.length ? `: ${voted.join(', ')}` : '')
