import { byPattern, type Detector, type Found, holdRun, nothing } from './detect.ts'

export type PersonalKind = 'email' | 'card' | 'ssn' | 'phone' | 'ip'

const email = byPattern({
  kind: 'email',
  pattern: /[\w.%+-]{1,64}@(?:[\w-]{1,63}\.){1,8}[A-Za-z]{2,24}/,
  chars: /[\w.%+@-]/,
  longest: 601,
})

/** Thirteen to nineteen digits in groups of any size, with a check digit that fits. */
const card: Detector = {
  find(text, from) {
    if (!/\d/.test(text)) return nothing
    const found: Found[] = []
    for (let at = from; at < text.length; at++) {
      if (!isDigit(text, at) || isDigit(text, at - 1)) continue
      const end = cardEnd(text, at)
      if (end === undefined) continue
      found.push({ kind: 'card', start: at, end })
      at = end - 1
    }
    return found
  },
  hold: text => holdRun(text, 38, /[\d -]/),
}

const isDigit = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at)
  return code >= 48 && code <= 57
}

/** The end of the longest card number that begins at `start`; undefined when there is none. */
function cardEnd(text: string, start: number): number | undefined {
  let digits = ''
  let end: number | undefined
  for (let at = start; digits.length < 20; at++) {
    if (isDigit(text, at)) digits += text.charAt(at)
    else if (!/[ -]/.test(text.charAt(at)) || !isDigit(text, at + 1)) break
    if (!isDigit(text, at + 1) && isDigit(text, at) && isCard(digits)) end = at + 1
  }
  return end
}

function isCard(digits: string): boolean {
  if (digits.length < 13 || digits.length > 19 || /^0+$/.test(digits)) return false
  let sum = 0
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i])
    const doubled = i % 2 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

/** With its separators: nine digits alone may be anything. */
const ssn = byPattern({
  kind: 'ssn',
  pattern: /(?<![\d-])(?!000|666|9)\d{3}([- ])(?!00)\d\d\1(?!0000)\d{4}(?![\d-])/,
  chars: /[\d -]/,
  longest: 12,
})

/** International with its plus, or ten digits in the three North American groups, also where nobody has that number. */
const phone = byPattern({
  kind: 'phone',
  pattern: /\+\d(?:[ .()-]{0,2}\d){7,14}(?!\d)|(?<!\w)(?:1[ .-])?(?:\(\d{3}\) ?|\d{3}[ .-])\d{3}[ .-]\d{4}(?!\w)/,
  chars: /[\d+() .-]/,
  longest: 46,
})

const octet = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
const ip4 = byPattern({
  kind: 'ip',
  pattern: new RegExp(`(?<![\\w.])(?:${octet}\\.){3}${octet}(?!\\w|\\.\\d)`),
  chars: /[\d.]/,
  longest: 18,
})
const ip6 = byPattern({
  kind: 'ip',
  pattern: /(?<![\w:])[\dA-Fa-f:]{3,39}(?![\w:])/,
  chars: /[\dA-Fa-f:]/,
  longest: 40,
  accept: isAddress6,
})

/** `a::b` and `12:30:45` are valid nowhere or in code too: an address has eight groups, or a gap and a telling group. */
function isAddress6(text: string): boolean {
  const sides = text.split('::')
  if (sides.length > 2) return false
  const groups = sides.flatMap(side => (side ? side.split(':') : []))
  if (!groups.every(group => /^[\dA-Fa-f]{1,4}$/.test(group))) return false
  if (sides.length === 1) return groups.length === 8
  return (
    groups.length < 8 && (text === '::1' || groups.length > 3 || groups.some(group => /^(?=.*\d).{3,4}$/.test(group)))
  )
}

export const personal: Readonly<Record<PersonalKind, readonly Detector[]>> = {
  email: [email],
  card: [card],
  ssn: [ssn],
  phone: [phone],
  ip: [ip4, ip6],
}
