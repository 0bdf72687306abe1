import { type Client, createClient } from 'turnbuckle/client'

const key = 'turnbuckle.token'

/** The token from the address, which is then cleaned, or the one this tab had. */
export function readToken(): string | undefined {
  const given = new URLSearchParams(location.hash.slice(1)).get('token')
  if (given) {
    sessionStorage.setItem(key, given)
    history.replaceState(null, '', location.pathname + location.search)
  }
  return sessionStorage.getItem(key) ?? undefined
}

export const forgetToken = (): void => sessionStorage.removeItem(key)
export const keepToken = (token: string): void => sessionStorage.setItem(key, token)
export const connect = (token: string): Client => createClient({ url: location.origin, token })

export const conversationInAddress = (): string | undefined => /^\/c\/([\w.~-]+)$/.exec(location.pathname)?.[1]
export function showInAddress(id: string | undefined): void {
  const path = id === undefined ? '/' : `/c/${encodeURIComponent(id)}`
  if (location.pathname !== path) history.pushState(null, '', path)
}
