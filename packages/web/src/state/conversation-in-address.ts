/** The id of the conversation that the page's address names: `/c/ID`. Any text is an id: a sub-agent's has that of a call in it. */
export function conversationInAddress(): string | undefined {
  const named = /^\/c\/([^/]+)$/.exec(location.pathname)?.[1]
  try {
    return named === undefined ? undefined : decodeURIComponent(named)
  } catch {
    return undefined
  }
}

/** The address of a conversation; `undefined` is the blank page. */
export const addressOf = (id: string | undefined): string => (id === undefined ? '/' : `/c/${encodeURIComponent(id)}`)

/** Puts the open conversation into the address, as a new entry of the browser's history. */
export function showConversationInAddress(id: string | undefined): void {
  const path = addressOf(id)
  if (location.pathname !== path) history.pushState(null, '', path)
}
