import { parsePattern } from './pattern.ts'
import { compile, type PermissionRules } from './rules.ts'
import { subjectOf } from './subject.ts'

/** What rules say of the calls of one tool, for a person. */
export interface ToolPermission {
  /** The outcome of a call that no rule about arguments covers. */
  readonly decision: 'allow' | 'ask' | 'deny'
  /** Rules about arguments of this tool: `deny shell(rm *)`. */
  readonly rules: readonly string[]
}

/** Tells what rules say of a tool before it is called. `approval` decides on the call itself. */
export function toolPermission(rules: PermissionRules, name: string): ToolPermission {
  const { denied, allowed } = compile(rules)
  const subject = subjectOf({ name, args: {} })
  const isDenied = denied(subject) !== undefined
  return {
    decision: isDenied ? 'deny' : allowed(subject, undefined) ? 'allow' : 'ask',
    rules: [...new Set(rulesAbout(rules, name))],
  }
}

function rulesAbout({ tightenedBy, ...own }: PermissionRules, name: string): string[] {
  const about = (['deny', 'ask', 'allow'] as const).flatMap(kind =>
    (own[kind] ?? [])
      .map(parsePattern)
      .filter(pattern => !pattern.bare && pattern.names(name))
      .map(({ text }) => `${kind} ${text}`),
  )
  // A project's rules only tighten: what it allows says nothing.
  const tighter = tightenedBy ? rulesAbout(tightenedBy, name).filter(rule => !rule.startsWith('allow ')) : []
  return [...about, ...tighter]
}
