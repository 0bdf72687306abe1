import { type ReactNode, useId, useState } from 'react'
import { type CallTitle, callTitle, untitledArguments } from '../ui/call-title.ts'
import { DiffView } from '../ui/diff-view.tsx'
import { formatJson } from '../ui/format-json.ts'
import { Icon } from '../ui/icon.tsx'
import { unifiedDiff } from '../ui/unified-diff.ts'
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
  const [draft, setDraft] = useState<string>()
  const [reason, setReason] = useState('')
  const edited = parsed(draft)
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
      {diff && <DiffView lines={unifiedDiff(diff) ?? [{ kind: 'place', text: diff }]} />}
      <Arguments args={args} folded={Boolean(diff)} draft={draft} setDraft={setDraft} problem={edited.problem} />
      <Scopes scope={scope} setScope={setScope} offered={asked.scopes} />
      {wide && patterns.length > 0 && (
        <Patterns patterns={patterns} covers={asked.covers} pattern={pattern} setPattern={setPattern} />
      )}
      <div className="request-actions">
        <button
          type="button"
          className="button primary"
          disabled={busy || edited.problem}
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

function parsed(draft: string | undefined): { readonly value?: unknown; readonly problem: boolean } {
  if (draft === undefined) return { problem: false }
  try {
    return { value: JSON.parse(draft), problem: false }
  } catch {
    return { problem: true }
  }
}

interface ArgumentsProps {
  readonly args: unknown
  /** The arguments are folded where a diff shows the change. */
  readonly folded: boolean
  readonly draft: string | undefined
  readonly setDraft: (draft: string | undefined) => void
  readonly problem: boolean
}

function Arguments({ args, folded, draft, setDraft, problem }: ArgumentsProps): ReactNode {
  const text = JSON.stringify(args ?? {}, undefined, 2)
  const others = untitledArguments(args)
  if (draft === undefined)
    return (
      <div className="arguments">
        {folded ? (
          <details>
            <summary>{pathIn(args)}, all arguments</summary>
            <pre className="value">{formatJson(args)}</pre>
          </details>
        ) : (
          others !== undefined && <pre className="value">{formatJson(others)}</pre>
        )}
        <button type="button" className="link" onClick={() => setDraft(text)}>
          Edit the arguments
        </button>
      </div>
    )
  return (
    <div className="arguments">
      <textarea
        className="value"
        aria-label="Arguments, as JSON"
        aria-invalid={problem}
        spellCheck={false}
        rows={Math.min(14, draft.split('\n').length + 1)}
        value={draft}
        onChange={event => setDraft(event.target.value)}
      />
      {problem && <p role="alert">That is not valid JSON yet.</p>}
      <button type="button" className="link" onClick={() => setDraft(undefined)}>
        Leave them as they were
      </button>
    </div>
  )
}

const pathIn = (args: unknown): string => String((args as { readonly path?: unknown } | undefined)?.path ?? 'The call')

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
