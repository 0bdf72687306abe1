const key = 'turnbuckle.token'

/** The token in the address, `#token=…`. It is removed there, so that it is not copied along with a link. */
export function takeTokenFromAddress(): string | undefined {
  const given = new URLSearchParams(location.hash.slice(1)).get('token')
  if (!given) return undefined
  history.replaceState(null, '', location.pathname + location.search)
  return given
}

/** The token that this tab signed in with. Other tabs have their own. */
export const storedToken = (): string | undefined => sessionStorage.getItem(key) ?? undefined
export const storeToken = (token: string): void => sessionStorage.setItem(key, token)
