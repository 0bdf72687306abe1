import { type Client, createClient } from 'turnbuckle/client'

const key = 'turnbuckle.token'

/** Takes the token out of the address, where there is one. */
export function takeToken(): string | undefined {
  const given = new URLSearchParams(location.hash.slice(1)).get('token')
  if (!given) return undefined
  history.replaceState(null, '', location.pathname + location.search)
  return given
}

/** The one this tab had. */
export const keptToken = (): string | undefined => sessionStorage.getItem(key) ?? undefined
export const keepToken = (token: string): void => sessionStorage.setItem(key, token)
export const connect = (token: string): Client => createClient({ url: location.origin, token })

export const conversationInAddress = (): string | undefined => /^\/c\/([\w.~-]+)$/.exec(location.pathname)?.[1]
export function showInAddress(id: string | undefined): void {
  const path = id === undefined ? '/' : `/c/${encodeURIComponent(id)}`
  if (location.pathname !== path) history.pushState(null, '', path)
}
