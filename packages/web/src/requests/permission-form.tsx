import { type ReactNode, useEffect, useId, useState } from 'react'
import { beginCallEdit } from '../conversation/begin-call-edit.ts'
import { type CallTitle, callTitle } from '../ui/call-title.ts'
import { DiffView } from '../ui/diff-view.tsx'
import { Icon } from '../ui/icon.tsx'
import { unifiedDiff } from '../ui/unified-diff.ts'
import { visibleText } from '../ui/visible-text.ts'
import { type ArgumentsDraft, draftedArguments } from './arguments-draft.ts'
import { CallArguments } from './call-arguments.tsx'
import { PassOn } from './pass-on.tsx'
import type { RequestFormProps } from './request-form-props.ts'

const scopes = [
  { value: 'once', label: 'Once' },
  { value: 'conversation', label: 'In this conversation' },
  { value: 'project', label: 'In this project' },
  { value: 'always', label: 'Always' },
] as const

interface Permission {
  readonly name?: string
  readonly args?: unknown
  readonly tool?: { readonly description?: string }
  readonly patterns?: readonly string[]
  readonly pattern?: string
  readonly covers?: readonly string[]
  readonly scopes?: readonly string[]
  readonly diff?: string
  readonly delegates?: readonly string[]
}

/** Allows or denies a call, for a scope, and with the arguments as asked or edited. */
export function PermissionForm({ payload, busy, answer }: RequestFormProps): ReactNode {
  const { name = 'A tool', args, tool, patterns = [], diff, ...asked } = (payload ?? {}) as Permission
  const [scope, setScope] = useState<(typeof scopes)[number]['value']>('once')
  const [pattern, setPattern] = useState(asked.pattern ?? patterns[0])
  const [draft, setDraft] = useState<ArgumentsDraft>()
  const [reason, setReason] = useState('')
  const seen = diff && visibleText(diff)
  const isEdited = draft !== undefined
  useEffect(() => (isEdited ? beginCallEdit() : undefined), [isEdited])
  const edited = draftedArguments(draft, args)
  const wide = scope !== 'once'
  const decide = (decision: 'allow' | 'deny') =>
    answer({
      decision,
      scope,
      ...(wide && pattern ? { pattern } : {}),
      ...(reason.trim() ? { reason: reason.trim() } : {}),
      ...(decision === 'allow' && edited.value !== undefined ? { args: edited.value } : {}),
    })
  return (
    <>
      <PermissionTitle name={name} {...callTitle(args, diff)} />
      {tool?.description && <p className="request-note">{tool.description}</p>}
      {seen && <DiffView lines={unifiedDiff(seen) ?? [{ kind: 'place', text: seen }]} />}
      <CallArguments args={args} folded={Boolean(diff)} draft={draft} setDraft={setDraft} problem={edited.problem} />
      <Scopes scope={scope} setScope={setScope} offered={asked.scopes} />
      {wide && patterns.length > 0 && (
        <Patterns patterns={patterns} covers={asked.covers} pattern={pattern} setPattern={setPattern} />
      )}
      <div className="request-actions">
        <button
          type="button"
          className="button primary"
          disabled={busy || edited.problem !== undefined}
          onClick={() => decide('allow')}
        >
          Allow
        </button>
        <button type="button" className="button" disabled={busy} onClick={() => decide('deny')}>
          Deny
        </button>
        <Reason reason={reason} setReason={setReason} />
      </div>
      {asked.delegates && <PassOn delegates={asked.delegates} busy={busy} answer={answer} />}
    </>
  )
}

/** The question, and under it in large letters the command, or the path and how much of it would change. */
function PermissionTitle({ name, text, size }: CallTitle & { readonly name: string }): ReactNode {
  return (
    <>
      <h2>
        <Icon name="hand" /> May <code className="inline-code">{name}</code> run?
      </h2>
      {text !== undefined && (
        <p className="request-title">
          <code>{text}</code>
          {size && <span>{size}</span>}
        </p>
      )}
    </>
  )
}

function Reason({ reason, setReason }: { readonly reason: string; setReason(reason: string): void }): ReactNode {
  const label = 'Reason, if you deny'
  return (
    <input
      aria-label={label}
      placeholder={label}
      value={reason}
      onChange={event => setReason(event.target.value)}
      maxLength={500}
    />
  )
}

interface ScopesProps {
  readonly offered: readonly string[] | undefined
  readonly scope: string
  readonly setScope: (scope: (typeof scopes)[number]['value']) => void
}

function Scopes({ scope, setScope, offered }: ScopesProps): ReactNode {
  const name = useId()
  const choices = scopes.filter(({ value }) => offered?.includes(value) ?? true)
  // One is no choice: it is the scope that the form begins with.
  if (choices.length < 2) return null
  return (
    <fieldset className="scopes">
      <legend>For how long?</legend>
      {choices.map(({ value, label }) => (
        <label key={value}>
          <input type="radio" name={name} checked={scope === value} onChange={() => setScope(value)} />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  )
}

interface PatternsProps {
  readonly patterns: readonly string[]
  /** The patterns in words. */
  readonly covers: readonly string[] | undefined
  readonly pattern: string | undefined
  readonly setPattern: (pattern: string) => void
}

function Patterns({ patterns, covers, pattern, setPattern }: PatternsProps): ReactNode {
  return (
    <label className="reason">
      <span>For calls like</span>
      <select value={pattern} onChange={event => setPattern(event.target.value)}>
        {patterns.map((one, i) => (
          <option key={one} value={one}>
            {covers?.[i] ?? one}
          </option>
        ))}
      </select>
    </label>
  )
}
