const key = 'turnbuckle.token'

/** The token in the address, `#token=…`. It is removed there, so that it is not copied along with a link. */
export function takeTokenFromAddress(): string | undefined {
  const given = new URLSearchParams(location.hash.slice(1)).get('token')
  if (!given) return undefined
  history.replaceState(null, '', location.pathname + location.search)
  return given
}

/**
 * The token of this tab, or of the tab that signed in last: a new tab signs in by itself. Kept in storage of this origin
 * and never in a cookie, which other ports of the host would get.
 */
export const storedToken = (): string | undefined =>
  sessionStorage.getItem(key) ?? localStorage.getItem(key) ?? undefined
export function storeToken(token: string): void {
  sessionStorage.setItem(key, token)
  localStorage.setItem(key, token)
}
