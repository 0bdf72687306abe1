import { type ReactNode, useId } from 'react'

interface Props {
  readonly label: string
  readonly about?: string
  readonly value: string
  readonly write: (value: string) => void
  readonly placeholder?: string
  /** More than one makes it a box for lines. */
  readonly lines?: number
  readonly readOnly?: boolean
}

/** A field with its label, for words that are no prose: names, commands, options. */
export function LabelledField({
  label,
  about,
  value,
  write,
  placeholder,
  lines = 1,
  readOnly = false,
}: Props): ReactNode {
  const id = useId()
  const field = {
    id,
    value,
    placeholder,
    readOnly,
    autoComplete: 'off',
    spellCheck: false,
    onChange: (event: { readonly target: { readonly value: string } }) => write(event.target.value),
  }
  return (
    <>
      <label className="field-label" htmlFor={id}>
        {label} {about && <span className="about">{about}</span>}
      </label>
      {lines > 1 ? <textarea rows={lines} className="code-field" {...field} /> : <input {...field} />}
    </>
  )
}
