/**
 * The path or the address that a text may be, written plainly: rules that deny or ask are compared with a call in this form, so that one against
 * `.env` also holds for `./src/../.env`, and one against `https://example.com/*` for `HTTPS://me@example.com:443/`. Contract: no text is too
 * long, since a long one would pass.
 */
export function plainForms(text: string): readonly string[] {
  return isAddress(text) ? plainAddresses(text) : [plainPath(text)]
}

/**
 * The same for a rule, whose stars stay. None where a star may be what `..` leaves again. A name and password that a rule asks for
 * are not taken from it: it would hold for everybody.
 */
export function plainRules(rule: string): readonly string[] {
  if (rule.includes('*') && (climbs(rule) || /\*[\\/]+$/.test(rule))) return []
  const forms = plainForms(rule)
  return /^[^/]*\/\/[^/]*@/.test(forms[0] ?? '') ? forms.slice(0, 1) : forms
}

/** The address that a text is, as it is asked for. */
export const hrefOf = (text: string): string | undefined =>
  isAddress(text) && URL.canParse(text) ? new URL(text).href : undefined

/** True for a path that goes up. */
export const climbs = (path: string): boolean => /(^|[\\/])\.\.([\\/]|$)/.test(path)

/** True for a path from the root of the file system on. */
export const isAbsolute = (path: string): boolean => /^(?:[a-z]:)?[\\/]/i.test(path)

/** Whoever reads an address passes over controls before it and line ends within it, and needs no slash after `https:`. */
const isAddress = (text: string): boolean =>
  /^[\0- ]*(?:(?:https?|wss?|ftp|file):|[a-z][a-z\d+.-]*:\/\/)/i.test(text.replace(/[\t\n\r]/g, ''))

function plainPath(path: string): string {
  const root = /^[\\/]/.test(path) ? '/' : ''
  const names: string[] = []
  for (const name of path.split(/[\\/]+/)) {
    if (name === '' || name === '.') continue
    if (name !== '..') names.push(name)
    else if (names.length && names.at(-1) !== '..') names.pop()
    else if (!root) names.push(name)
  }
  return root + names.join('/') || '.'
}

/**
 * As it is asked for; and as most servers read it: without a name and password in front of the host or a dot behind it, `%61` being `a`.
 * `%2a` is no star, which would be one of a rule's.
 */
function plainAddresses(text: string): readonly string[] {
  if (!URL.canParse(text)) return []
  const { href, protocol, host, pathname, search, hash } = new URL(text)
  const plain = `${protocol}//${host.replace(/\.(?=:|$)/, '')}${pathname}${search}${hash}`
  return [href, plain, plain.replace(/%(?!2a)[2-7][\da-f]/gi, decodeURIComponent)]
}
