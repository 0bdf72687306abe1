const key = 'turnbuckle.looks'

/** The messages that this tab looks at, by conversation, where that is not the head. A new tab has none. */
const read = (): Record<string, string> => {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? '{}') as Record<string, string>
  } catch {
    return {}
  }
}

/** Keeps where this tab looks; `null` forgets it, for a tab that looks at the head. */
export function rememberLook(conversationId: string, messageId: string | null): void {
  const { [conversationId]: before, ...others } = read()
  if (before === (messageId ?? undefined)) return
  try {
    sessionStorage.setItem(
      key,
      JSON.stringify(messageId === null ? others : { ...others, [conversationId]: messageId }),
    )
  } catch {
    // A full store: after a reload the page opens at the head.
  }
}

export const rememberedLook = (conversationId: string): string | undefined => read()[conversationId]
