export interface LinkInAddress {
  readonly shareId: string
  readonly token: string
  /** The conversation of a sub-agent that the link opens too. */
  readonly agent?: string
}

/** The read-only link that the page's address is: `/s/ID#share=TOKEN`, of a sub-agent `/s/ID?agent=ID#share=TOKEN`. */
export function linkInAddress(): LinkInAddress | undefined {
  const shareId = /^\/s\/([\w.~-]+)$/.exec(location.pathname)?.[1]
  if (shareId === undefined) return undefined
  const token = /^#share=([\w-]+)$/.exec(location.hash)?.[1] ?? ''
  const agent = new URLSearchParams(location.search).get('agent')
  return agent === null ? { shareId, token } : { shareId, token, agent }
}

/** The address of a read-only link. */
export const addressOfLink = ({ shareId, token, agent }: LinkInAddress): string =>
  `/s/${shareId}${agent === undefined ? '' : `?agent=${encodeURIComponent(agent)}`}#share=${token}`
