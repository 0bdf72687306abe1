import { type FormEvent, type ReactNode, useState } from 'react'
import type { WireRules } from 'turnbuckle/client'
import { Icon } from '../../ui/icon.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import type { ChangeSettings } from '../use-settings.ts'
import { type RuleList, ruleLists, rulesInForce, withoutRule, withRule } from './rule-lists.ts'

const titles: Readonly<Record<RuleList, string>> = {
  deny: 'Never runs',
  ask: 'Is asked about',
  allow: 'Runs without a question',
}

interface Props {
  readonly rules: WireRules
  readonly change: ChangeSettings
}

/** The rules about calls: the user's can be changed, the project's are shown as fixed. */
export function RulesCard({ rules, change }: Props): ReactNode {
  const [list, setList] = useState<RuleList>('ask')
  const [rule, setRule] = useState('')
  const add = async (event: FormEvent) => {
    event.preventDefault()
    if (await change({ permissions: withRule(rules, list, rule.trim()) })) setRule('')
  }
  return (
    <section className="settings-card" aria-labelledby="rules">
      <h3 id="rules">Rules</h3>
      {ruleLists.map(one => (
        <Rules key={one} list={one} rules={rules} change={change} />
      ))}
      <form className="add-rule" aria-label="Add a rule" onSubmit={event => void add(event)}>
        <input
          aria-label="Rule"
          value={rule}
          placeholder="shell(git *)"
          autoComplete="off"
          spellCheck={false}
          onChange={event => setRule(event.target.value)}
        />
        <select aria-label="List" value={list} onChange={event => setList(event.target.value as RuleList)}>
          {ruleLists.map(one => (
            <option key={one} value={one}>
              {titles[one]}
            </option>
          ))}
        </select>
        <button type="submit" className="button small" disabled={!rule.trim()}>
          Add
        </button>
      </form>
      <p className="source-note">A rule higher up wins. What no rule names is asked about.</p>
    </section>
  )
}

function Rules({ list, rules, change }: Props & { readonly list: RuleList }): ReactNode {
  const own = rulesInForce(rules)[list]
  // A project only tightens: what it allows says nothing.
  const fixed = list === 'allow' ? [] : (rules.project[list] ?? [])
  if (!own.length && !fixed.length) return null
  return (
    <>
      <h4>{titles[list]}</h4>
      <ul className="rules" aria-label={titles[list]}>
        {own.map(rule => (
          <li key={rule}>
            <code className="inline-code">{rule}</code>
            <IconButton
              icon="close"
              size={14}
              label={`Remove the rule ${rule}`}
              onClick={() => void change({ permissions: withoutRule(rules, list, rule) })}
            />
          </li>
        ))}
        {fixed.map(rule => (
          <li key={`project ${rule}`} data-fixed="true">
            <Icon name="lock" size={14} /> <code className="inline-code">{rule}</code>{' '}
            <span className="about">the project’s</span>
          </li>
        ))}
      </ul>
    </>
  )
}
