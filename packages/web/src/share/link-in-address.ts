export interface LinkInAddress {
  readonly shareId: string
  readonly token: string
}

/** The read-only link that the page's address is: `/s/ID#share=TOKEN`. */
export function linkInAddress(): LinkInAddress | undefined {
  const shareId = /^\/s\/([\w.~-]+)$/.exec(location.pathname)?.[1]
  return shareId === undefined ? undefined : { shareId, token: /^#share=([\w-]+)$/.exec(location.hash)?.[1] ?? '' }
}
