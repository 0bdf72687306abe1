/** The id of the conversation that the page's address names: `/c/ID`. */
export const conversationInAddress = (): string | undefined => /^\/c\/([\w.~-]+)$/.exec(location.pathname)?.[1]

/** The address of a conversation; `undefined` is the blank page. */
export const addressOf = (id: string | undefined): string => (id === undefined ? '/' : `/c/${encodeURIComponent(id)}`)

/** Puts the open conversation into the address, as a new entry of the browser's history. */
export function showConversationInAddress(id: string | undefined): void {
  const path = addressOf(id)
  if (location.pathname !== path) history.pushState(null, '', path)
}
