/** An argument that is edited as the text that it is. */
export interface TextField {
  /** The argument's own name. */
  readonly name: string
  readonly label: string
  readonly text: string
  /** It may have several lines. */
  readonly isLong: boolean
  /** The call makes no sense without it. */
  readonly isNeeded: boolean
}

/** The arguments of a call while a person changes them: a command or a file's path and text as such, others as JSON. */
export type ArgumentsDraft =
  | { readonly kind: 'fields'; readonly fields: readonly TextField[] }
  | { readonly kind: 'json'; readonly text: string }

const textArguments = [
  { label: 'Command', names: ['command', 'cmd'], isLong: true, isNeeded: true },
  { label: 'Path', names: ['path', 'file', 'file_path', 'filename'], isLong: false, isNeeded: true },
  { label: 'Text', names: ['content', 'text'], isLong: true, isNeeded: false },
  { label: 'Text to replace', names: ['old', 'old_string'], isLong: true, isNeeded: false },
  { label: 'New text', names: ['new', 'new_string'], isLong: true, isNeeded: false },
] as const

type Arguments = Readonly<Record<string, unknown>>

/** The arguments as a draft. Without a command or a path they are JSON: a form would say less than they do. */
export function draftOf(args: unknown): ArgumentsDraft {
  const fields = textArguments.flatMap(({ names, ...field }): TextField[] => {
    const name = names.find(one => typeof (args as Arguments | null | undefined)?.[one] === 'string')
    return name === undefined ? [] : [{ ...field, name, text: String((args as Arguments)[name]) }]
  })
  return fields.some(({ isNeeded }) => isNeeded) ? { kind: 'fields', fields } : jsonDraft(args)
}

export const jsonDraft = (args: unknown): ArgumentsDraft => ({
  kind: 'json',
  text: JSON.stringify(args ?? {}, undefined, 2),
})

/** The draft with another text in one of its fields. */
export const withText = (fields: readonly TextField[], name: string, text: string): ArgumentsDraft => ({
  kind: 'fields',
  fields: fields.map(field => (field.name === name ? { ...field, text } : field)),
})

export interface DraftedArguments {
  /** Absent without a draft, and where the draft cannot be used yet. An opened draft that was not changed has the arguments as asked. */
  readonly value?: unknown
  /** Why the draft cannot be used yet. */
  readonly problem?: string
}

/** The arguments that a draft makes of those that were asked for. */
export function draftedArguments(draft: ArgumentsDraft | undefined, args: unknown): DraftedArguments {
  if (!draft) return {}
  if (draft.kind === 'json') return parsed(draft.text)
  const empty = draft.fields.find(({ isNeeded, text }) => isNeeded && !text.trim())
  if (empty) return { problem: `The ${empty.label.toLowerCase()} is empty.` }
  return {
    value: { ...(args as Arguments), ...Object.fromEntries(draft.fields.map(({ name, text }) => [name, text])) },
  }
}

function parsed(text: string): DraftedArguments {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return { problem: 'That is not valid JSON yet.' }
  }
}
