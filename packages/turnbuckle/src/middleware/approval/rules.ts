import type { Shape } from '../check-options.ts'
import * as is from '../kinds.ts'
import { parsePattern } from './pattern.ts'
import { covers, forbids, mayForbid, type Subject } from './subject.ts'

/**
 * Rules by pattern. `deny` wins over `ask`, `ask` over `allow`; a `*` in `ask` or `allow` is for what no other rule
 * names. What no rule names is asked.
 */
export interface PermissionRules {
  /** Calls that run without being asked about: `read_file`, `shell(git *)`. */
  readonly allow?: readonly string[]
  /** Calls that a person is asked about. */
  readonly ask?: readonly string[]
  /** Calls that never run. */
  readonly deny?: readonly string[]
  /** Other rules that can only make it stricter: a project's. */
  readonly tightenedBy?: PermissionRules
}

export const rulesShape = (): Shape<PermissionRules> => ({
  allow: is.list(is.text),
  ask: is.list(is.text),
  deny: is.list(is.text),
  tightenedBy: is.plain,
})

/** A person's rules in a project: the project's may only tighten them, whatever it allows. */
export const mergeRules = (user: PermissionRules, project: PermissionRules): PermissionRules => ({
  ...user,
  tightenedBy: user.tightenedBy ? mergeRules(user.tightenedBy, project) : project,
})

export interface Rules {
  /** About the call as a whole. */
  denied(subject: Subject): string | undefined
  /** True where it cannot be ruled out that a rule denies the call. */
  doubtful(subject: Subject): boolean
  /** True where a rule asks a person about the call, or may deny it: `*` is no rule about a call. */
  asks(subject: Subject): boolean
  /** About one text of the call. */
  allowed(subject: Subject, text: string | undefined): boolean
}

export function compile(rules: PermissionRules): Rules {
  const own = compileOwn(rules)
  const tighter: Own[] = []
  for (let next = rules.tightenedBy; next; next = next.tightenedBy) tighter.push(compileOwn(next))
  const all = [own, ...tighter]
  return {
    denied(subject) {
      for (const { denied } of all) {
        const pattern = denied(subject)
        if (pattern !== undefined) return pattern
      }
      return undefined
    },
    doubtful: subject => all.some(({ doubtful }) => doubtful(subject)),
    asks: subject => all.some(({ asks, doubtful }) => asks(subject) || doubtful(subject)),
    allowed: (subject, text) =>
      own.decide(subject, text) === 'allow' && tighter.every(({ decide }) => decide(subject, text) !== 'ask'),
  }
}

/** Worked out once for each call, however many texts it has: they come one after the other. */
function once(test: (subject: Subject) => boolean): (subject: Subject) => boolean {
  let last: Subject | undefined
  let answer = false
  return subject => {
    if (subject !== last) answer = test(subject)
    last = subject
    return answer
  }
}

type Own = ReturnType<typeof compileOwn>

function compileOwn({ allow = [], ask = [], deny = [] }: PermissionRules) {
  const named = (patterns: readonly string[]) => patterns.filter(text => text !== '*').map(parsePattern)
  const [allowed, asked] = [named(allow), named(ask)]
  const denied = deny.map(parsePattern)
  const doubtful = once(subject => denied.some(pattern => mayForbid(pattern, subject)))
  const mayAsk = once(subject => asked.some(pattern => forbids(pattern, subject) || mayForbid(pattern, subject)))
  return {
    doubtful,
    asks: mayAsk,
    denied: (subject: Subject): string | undefined => denied.find(pattern => forbids(pattern, subject))?.text,
    decide(subject: Subject, text: string | undefined): 'ask' | 'allow' | undefined {
      if (doubtful(subject) || mayAsk(subject)) return 'ask'
      if (allowed.some(pattern => covers(pattern, subject, text))) return 'allow'
      if (ask.includes('*')) return 'ask'
      return allow.includes('*') ? 'allow' : undefined
    },
  }
}
