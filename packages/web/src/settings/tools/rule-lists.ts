import type { RuleLists, SettingsChange, ToolPermission, WireRules } from 'turnbuckle/client'

export type RuleList = keyof RuleLists
type RulesChange = NonNullable<SettingsChange['permissions']>

/** The lists in the order in which they count. */
export const ruleLists: readonly RuleList[] = ['deny', 'ask', 'allow']

/** The rules of the user's file that are in force: without `allow` and `ask` the harmless tools are allowed. */
export function rulesInForce({ user, harmless }: WireRules): Readonly<Record<RuleList, readonly string[]>> {
  const { allow, ask = [], deny = [] } = user
  return { deny, ask, allow: allow ?? (user.ask ? [] : harmless) }
}

/** The change that adds a rule to a list. The first of the user's own takes the harmless tools along, which it would end otherwise. */
export function withRule(rules: WireRules, list: RuleList, rule: string): RulesChange {
  const now = rulesInForce(rules)
  const kept = list === 'ask' && !rules.user.ask && !rules.user.allow ? { allow: now.allow } : {}
  return now[list].includes(rule) ? {} : { ...kept, [list]: [...now[list], rule] }
}

/** The change that takes a rule out of a list. */
export const withoutRule = (rules: WireRules, list: RuleList, rule: string): RulesChange => ({
  [list]: rulesInForce(rules)[list].filter(one => one !== rule),
})

/** The change that gives a whole tool a permission: its name goes into one list, and leaves the others. Rules about arguments stay. */
export function withPermission(rules: WireRules, tool: string, decision: ToolPermission['decision']): RulesChange {
  const now = rulesInForce(rules)
  const change: Record<string, readonly string[]> = {}
  for (const list of ruleLists) {
    const others = now[list].filter(rule => rule !== tool)
    const next = list === decision ? [...others, tool] : others
    if (next.length !== now[list].length) change[list] = next
  }
  const losesHarmless = change['ask'] && !change['allow'] && !rules.user.ask && !rules.user.allow
  return losesHarmless ? { ...change, allow: now.allow } : change
}
