import { type ReactNode, useState } from 'react'
import { untitledArguments } from '../ui/call-title.ts'
import { formatJson } from '../ui/format-json.ts'
import { visibleText } from '../ui/visible-text.ts'
import {
  type ArgumentsDraft,
  draftedArguments,
  draftOf,
  jsonDraft,
  type TextField,
  withText,
} from './arguments-draft.ts'

interface Props {
  readonly args: unknown
  /** The arguments are folded where a diff shows the change. */
  readonly folded: boolean
  readonly draft: ArgumentsDraft | undefined
  readonly setDraft: (draft: ArgumentsDraft | undefined) => void
  /** Why the draft cannot be used yet. */
  readonly problem: string | undefined
}

/** The arguments of a call that its title does not say, and a way to change them. */
export function CallArguments({ args, folded, draft, setDraft, problem }: Props): ReactNode {
  const [wasLeft, setWasLeft] = useState(false)
  const leave = () => {
    setWasLeft(true)
    setDraft(undefined)
  }
  if (!draft)
    return (
      <div className="arguments">
        <AskedArguments args={args} folded={folded} />
        <button
          type="button"
          className="link"
          // biome-ignore lint/a11y/noAutofocus: it stands where the draft was that had the focus
          autoFocus={wasLeft}
          onClick={() => setDraft(draftOf(args))}
        >
          {editLabel(draftOf(args))}
        </button>
      </div>
    )
  return <EditedArguments args={args} draft={draft} setDraft={setDraft} problem={problem} leave={leave} />
}

interface EditedProps extends Pick<Props, 'args' | 'setDraft' | 'problem'> {
  readonly draft: ArgumentsDraft
  readonly leave: () => void
}

/** The arguments while they are changed: as fields, or as JSON. */
function EditedArguments({ args, draft, setDraft, problem, leave }: EditedProps): ReactNode {
  return (
    <div className="arguments">
      {draft.kind === 'json' ? (
        <Area
          isFirst
          label="Arguments, as JSON"
          text={draft.text}
          isWrong={problem !== undefined}
          change={text => setDraft({ kind: 'json', text })}
        />
      ) : (
        draft.fields.map((field, i) => (
          <Field
            key={field.name}
            field={field}
            isFirst={i === 0}
            change={text => setDraft(withText(draft.fields, field.name, text))}
          />
        ))
      )}
      {problem !== undefined && <p role="alert">{problem}</p>}
      <div className="arguments-links">
        {draft.kind === 'fields' && (
          <button
            type="button"
            className="link"
            onClick={() => setDraft(jsonDraft(draftedArguments(draft, args).value ?? args))}
          >
            Edit all arguments as JSON
          </button>
        )}
        <button type="button" className="link" onClick={leave}>
          Leave them as they were
        </button>
      </div>
    </div>
  )
}

function editLabel(draft: ArgumentsDraft): string {
  if (draft.kind === 'json') return 'Edit the arguments'
  return draft.fields.some(({ label }) => label === 'Command') ? 'Edit the command' : 'Edit path and text'
}

function AskedArguments({ args, folded }: Pick<Props, 'args' | 'folded'>): ReactNode {
  const others = untitledArguments(args)
  if (folded)
    return (
      <details>
        <summary>{visibleText(pathIn(args))}, all arguments</summary>
        <pre className="value">{visibleText(formatJson(args))}</pre>
      </details>
    )
  return others !== undefined && <pre className="value">{visibleText(formatJson(others))}</pre>
}

const pathIn = (args: unknown): string => String((args as { readonly path?: unknown } | undefined)?.path ?? 'The call')

interface FieldProps {
  readonly field: TextField
  /** It takes the focus from the button that opened the draft. */
  readonly isFirst: boolean
  readonly change: (text: string) => void
}

/** A command has its prompt before it, as in the title. */
function Field({ field: { label, text, isLong, isNeeded }, isFirst, change }: FieldProps): ReactNode {
  const isWrong = isNeeded && !text.trim()
  return (
    <div className={label === 'Command' ? 'argument command' : 'argument'}>
      <span aria-hidden="true">{label === 'Command' ? '$' : label}</span>
      {isLong ? (
        <Area label={label} text={text} isFirst={isFirst} isWrong={isWrong} change={change} />
      ) : (
        <input
          className="value"
          aria-label={label}
          aria-invalid={isWrong}
          // biome-ignore lint/a11y/noAutofocus: it stands where the button was that had the focus
          autoFocus={isFirst}
          spellCheck={false}
          value={text}
          onChange={event => change(event.target.value)}
        />
      )}
    </div>
  )
}

interface AreaProps {
  readonly label: string
  readonly text: string
  readonly isFirst: boolean
  readonly isWrong: boolean
  readonly change: (text: string) => void
}

/** Who edits a command goes on behind it. */
const toEnd = (area: HTMLTextAreaElement | null): void => area?.setSelectionRange(area.value.length, area.value.length)

function Area({ label, text, isFirst, isWrong, change }: AreaProps): ReactNode {
  return (
    <textarea
      ref={toEnd}
      className="value"
      aria-label={label}
      aria-invalid={isWrong}
      // biome-ignore lint/a11y/noAutofocus: it stands where the button was that had the focus
      autoFocus={isFirst}
      spellCheck={false}
      rows={Math.min(14, text.split('\n').length + (label === 'Command' ? 0 : 1))}
      value={text}
      onChange={event => change(event.target.value)}
    />
  )
}
