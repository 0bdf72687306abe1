import { literally } from './pattern.ts'
import type { Subject } from './subject.ts'

/** Something a person can agree to beyond this one call. */
export interface Proposal {
  /** As it is shown, and as the answer names it. */
  readonly text: string
  readonly patterns: readonly string[]
}

/**
 * From narrow to broad: exactly this, things like this, the whole tool. None where it cannot be told what the call does:
 * then a person can only say yes to this one.
 */
export function propose(subject: Subject): readonly Proposal[] {
  const { name, texts, unknown, command } = subject
  if (unknown) return []
  const given = texts.filter(text => text !== undefined && text.length <= 500) as string[]
  const whole = { text: name, patterns: [name] }
  if (given.length !== texts.length) return [whole]
  const exact = proposal(name, given.map(literally))
  const alike = proposal(name, given.map(command ? commandLike : placeLike))
  return [exact, ...(alike.text === exact.text ? [] : [alike]), whole]
}

/** The proposal that counts when an answer for longer names none: for a command the ones like it, else the whole tool. */
export const usual = ({ command }: Subject, proposals: readonly Proposal[]): Proposal | undefined =>
  command ? (proposals.at(-2) ?? proposals.at(-1)) : proposals.at(-1)

function proposal(name: string, values: readonly string[]): Proposal {
  const patterns = [...new Set(values)].map(value => `${name}(${value})`)
  return { text: patterns.join(', '), patterns }
}

/** `git commit -m x` → `git commit *`; `ls -l` → `ls *`. */
function commandLike(text: string): string {
  const [program = '', second = '', ...rest] = text.split(' ')
  const start = rest.length && /^[a-z][\w-]*$/.test(second) ? `${program} ${second}` : program
  return start === text ? literally(text) : `${literally(start)} *`
}

/** `/a/b/c.txt` → `/a/b/*`; `https://example.com/x` → `https://example.com/*`. */
function placeLike(text: string): string {
  const origin = /^[a-z][a-z\d+.-]*:\/\/[^/]+/i.exec(text)?.[0]
  if (origin) return `${literally(origin)}/*`
  const slash = text.lastIndexOf('/')
  return slash > 0 && !/\s/.test(text) ? `${literally(text.slice(0, slash))}/*` : literally(text)
}
