import { charactersOf, glob } from './glob.ts'
import { hrefOf, plainRules } from './plain-forms.ts'

/**
 * Tests whether an address is at a host that a rule names. A star before the first slash of a rule stands for a part of the host's name, not
 * for a path: `https://*.example.com/*` names nothing at `https://evil.org/?.example.com/`. One that follows a whole name stands for port and path
 * alone: `https://example.com*` names neither `example.com.evil.org` nor `example.com@evil.org`. Rules that name no host (`https://*`, paths,
 * commands) leave it open.
 */
export function hostRule(rule: string): (given: string) => boolean {
  const named = authorityOf(plainRules(rule)[0] ?? rule) ?? authorityOf(rule)
  if (named === undefined || named === '*') return () => true
  const isNamed = glob([charactersOf(named.replace(/(?<=\w)\*$/, ''))])
  return given => {
    const authority = authorityOf(hrefOf(given) ?? '')
    if (authority === undefined) return true
    return authority.includes('@') === named.includes('@') && [authority, authority.replace(/:\d+$/, '')].some(isNamed)
  }
}

/** What stands between the two slashes of an address and its path: a name and password, the host, a port. Of a rule, the scheme may have stars. */
const authorityOf = (address: string): string | undefined => /^[a-z*][a-z\d+.*-]*:\/\/([^/?#]*)/i.exec(address)?.[1]
