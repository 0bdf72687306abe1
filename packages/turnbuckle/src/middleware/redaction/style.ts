import { bytesOf, hexOf, hmac } from '../../core/base/sha256.ts'
import type { Found } from './detect.ts'

/** Gives the text that replaces a find. */
export type Style = (value: string, kind: string) => string

export type StyleName = 'redact' | 'mask' | 'hash'

/** `[email]` */
const redact: Style = (_value, kind) => `[${kind}]`

/** The last four letters or digits stay: `**** **** **** 1111`. Of an address also the domain: `j***@example.com`. */
const mask: Style = value => {
  const at = value.lastIndexOf('@')
  if (at > 0) return `${value.charAt(0)}***${value.slice(at)}`
  const signs = value.match(/[\p{L}\p{N}]/gu)?.length ?? 0
  // A value of at most eight letters and digits is hidden whole.
  let hide = signs > 8 ? signs - 4 : signs
  return value.replace(/[\p{L}\p{N}]/gu, sign => (hide-- > 0 ? '*' : sign))
}

/** `[email 5d41402abc4b]`: the same for the same value. Keyed, because all social security numbers can be tried. */
function hashing(key: string | undefined): Style {
  const secret = key === undefined ? crypto.getRandomValues(new Uint8Array(32)) : bytesOf(key)
  return (value, kind) => `[${kind} ${hexOf(hmac(secret, bytesOf(value))).slice(0, 12)}]`
}

export const styleOf = (name: StyleName, key?: string): Style =>
  name === 'hash' ? hashing(key) : name === 'mask' ? mask : redact

/** The text with its finds replaced. */
export function render(text: string, found: readonly Found[], style: Style): string {
  let rendered = ''
  let at = 0
  for (const { start, end, kind } of found) {
    rendered += text.slice(at, start) + style(text.slice(start, end), kind)
    at = end
  }
  return rendered + text.slice(at)
}
