import type { Found } from './detect.ts'

/** What stands in the place of a find. */
export type Style = (value: string, kind: string) => string | Promise<string>

export type StyleName = 'redact' | 'mask' | 'hash'

/** `[email]` */
const redact: Style = (_value, kind) => `[${kind}]`

/** The last four letters or digits stay: `**** **** **** 1111`. Of an address also the domain: `j***@example.com`. */
const mask: Style = value => {
  const at = value.lastIndexOf('@')
  if (at > 0) return `${value.charAt(0)}***${value.slice(at)}`
  const signs = value.match(/[\p{L}\p{N}]/gu)?.length ?? 0
  // Of something short nothing stays.
  let hide = signs > 8 ? signs - 4 : signs
  return value.replace(/[\p{L}\p{N}]/gu, sign => (hide-- > 0 ? '*' : sign))
}

/** `[email 5d41402abc4b]`: the same for the same value. Keyed, because all social security numbers can be tried. */
function hashing(key: string | undefined): Style {
  const bytes = key === undefined ? crypto.getRandomValues(new Uint8Array(32)) : new TextEncoder().encode(key)
  let imported: ReturnType<typeof crypto.subtle.importKey> | undefined
  return async (value, kind) => {
    imported ??= crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
    const signed = await crypto.subtle.sign('HMAC', await imported, new TextEncoder().encode(value))
    const hex = Array.from(new Uint8Array(signed).subarray(0, 6), byte => byte.toString(16).padStart(2, '0')).join('')
    return `[${kind} ${hex}]`
  }
}

export const styleOf = (name: StyleName, key?: string): Style =>
  name === 'hash' ? hashing(key) : name === 'mask' ? mask : redact

/** The text with its finds replaced. Waits only where the style does. */
export function render(text: string, found: readonly Found[], style: Style): string | Promise<string> {
  if (!found.length) return text
  const pieces: (string | Promise<string>)[] = []
  let at = 0
  for (const { start, end, kind } of found) {
    pieces.push(text.slice(at, start), style(text.slice(start, end), kind))
    at = end
  }
  pieces.push(text.slice(at))
  return pieces.some(piece => typeof piece !== 'string')
    ? Promise.all(pieces).then(ready => ready.join(''))
    : pieces.join('')
}
