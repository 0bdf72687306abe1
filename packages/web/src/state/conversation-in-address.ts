/** The id of the conversation that the page's address names: `/c/ID`. */
export const conversationInAddress = (): string | undefined => /^\/c\/([\w.~-]+)$/.exec(location.pathname)?.[1]

/** Puts the open conversation into the address, as a new entry of the browser's history. */
export function showConversationInAddress(id: string | undefined): void {
  const path = id === undefined ? '/' : `/c/${encodeURIComponent(id)}`
  if (location.pathname !== path) history.pushState(null, '', path)
}
