import type { Field, Kind } from './schema-fields.ts'

/** The input of a person into a field: text, a yes, indexes of choices, or the drafts in a list or group. */
export type FieldDraft =
  | string
  | boolean
  | readonly number[]
  | readonly FieldDraft[]
  | { readonly [name: string]: FieldDraft }

/** Messages about invalid fields, by the path of the field: `crew.0.name`. */
export type Problems = ReadonlyMap<string, string>

export const fieldPath = (path: string, name: string | number): string => (path ? `${path}.${name}` : String(name))

/**
 * The draft that a field begins with: its default, else empty. Only a required choice has its first option chosen.
 */
export function initialDraft(field: Field): FieldDraft {
  const { default: value } = field
  switch (field.kind) {
    case 'boolean':
      return value === true
    case 'choice':
      return beginChoice(field, field.required)
    case 'several':
      return field.choices.flatMap((choice, i) => (asList(value).includes(choice.value) ? [i] : []))
    case 'list':
      return beginList(field, asList(value))
    case 'group':
      return beginGroup(field, value)
    case 'json':
      return value === undefined ? '' : JSON.stringify(value)
    default:
      return value === undefined ? '' : String(value)
  }
}

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

function beginChoice({ choices, default: value }: Field & Of<'choice'>, required: boolean): FieldDraft {
  const chosen = choices.findIndex(choice => choice.value === value)
  return chosen >= 0 ? String(chosen) : required ? '0' : ''
}
function beginList({ item, min = 0 }: Of<'list'>, given: readonly unknown[]): FieldDraft {
  const count = Math.max(min, given.length)
  return Array.from({ length: count }, (_, i) => initialDraft(i < given.length ? { ...item, default: given[i] } : item))
}
function beginGroup({ fields }: Of<'group'>, value: unknown): FieldDraft {
  const given = (typeof value === 'object' && value !== null ? value : {}) as Readonly<Record<string, unknown>>
  const members = fields.map(field => [
    field.name,
    initialDraft({ ...field, default: given[field.name] ?? field.default }),
  ])
  return Object.fromEntries(members)
}

/**
 * The value of a draft, `undefined` where an optional field is left out. Adds to `problems` under the path of each
 * invalid field.
 */
export function readDraft(field: Field, draft: FieldDraft, path: string, problems: Map<string, string>): unknown {
  const found = reading(field, draft, path, problems)
  if (found instanceof Problem) {
    problems.set(path, found.message)
    return undefined
  }
  if (found === undefined && field.required) problems.set(path, 'This is needed.')
  return found
}

class Problem {
  readonly message: string
  constructor(message: string) {
    this.message = message
  }
}

function reading(field: Field, draft: FieldDraft, path: string, problems: Map<string, string>): unknown {
  switch (field.kind) {
    case 'boolean':
      return draft === true
    case 'choice':
      return ownWords(draft) ?? field.choices[place(draft)]?.value
    case 'several': {
      const chosen = (draft as readonly number[]).map(index => field.choices[index]?.value)
      return counted(field, chosen, field.required)
    }
    case 'list': {
      const items = (draft as readonly FieldDraft[]).map((one, i) =>
        readDraft(field.item, one, fieldPath(path, i), problems),
      )
      return counted(field, items, field.required)
    }
    case 'group':
      return readGroup(field, draft, path, problems)
    case 'number':
      return readNumber(field, String(draft))
    case 'text':
      return readText(field, String(draft))
    case 'json':
      return readJson(String(draft))
    default:
      return field satisfies never
  }
}

/** An answer in the person's own words in place of a choice. The leading `=` tells it from the index of a choice. */
export const ownAnswer = (words: string): FieldDraft => `=${words}`
export const isOwnAnswer = (draft: FieldDraft): draft is string => typeof draft === 'string' && draft.startsWith('=')
const ownWords = (draft: FieldDraft): string | undefined =>
  isOwnAnswer(draft) ? draft.slice(1).trim() || undefined : undefined

const place = (draft: FieldDraft): number => (draft === '' || isOwnAnswer(draft) ? -1 : Number(draft))

type Of<Name extends Kind['kind']> = Extract<Kind, { kind: Name }>

/** An optional group that the person has not touched is left out. */
function readGroup(
  field: Field & Of<'group'>,
  draft: FieldDraft,
  path: string,
  problems: Map<string, string>,
): unknown {
  if (!field.required && JSON.stringify(draft) === JSON.stringify(initialDraft(field))) return undefined
  const drafts = draft as { readonly [name: string]: FieldDraft }
  const members = field.fields.map(one => [
    one.name,
    readDraft(one, drafts[one.name] ?? '', fieldPath(path, one.name), problems),
  ])
  return Object.fromEntries(members.filter(([, value]) => value !== undefined))
}

function counted({ min, max }: Of<'list' | 'several'>, items: readonly unknown[], required: boolean): unknown {
  if (!items.length && !required) return undefined
  if (min !== undefined && items.length < min)
    return new Problem(min === 1 ? 'At least one is needed.' : `At least ${min} are needed.`)
  if (max !== undefined && items.length > max) return new Problem(`No more than ${max}.`)
  return items
}

function readNumber({ whole, min, max }: Of<'number'>, text: string): unknown {
  if (!text.trim()) return undefined
  const value = Number(text)
  if (!Number.isFinite(value)) return new Problem('A number is needed.')
  if (whole && !Number.isInteger(value)) return new Problem('A whole number is needed.')
  if (min !== undefined && value < min) return new Problem(`At least ${min}.`)
  if (max !== undefined && value > max) return new Problem(`At most ${max}.`)
  return value
}

function readText({ type, minLength = 0, maxLength = Infinity, pattern }: Of<'text'>, text: string): unknown {
  if (!text.trim()) return undefined
  if (type === 'email' && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text)) return new Problem('An e-mail address is needed.')
  if (type === 'url' && !URL.canParse(text)) return new Problem('An address is needed: https://…')
  if (text.length < minLength) return new Problem(`At least ${minLength} characters.`)
  if (text.length > maxLength) return new Problem(`At most ${maxLength} characters.`)
  if (pattern && !matches(pattern, text)) return new Problem('This does not have the form that is asked for.')
  return text
}

/** An invalid pattern of the schema accepts every text: the server checks the answer again. */
function matches(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text)
  } catch {
    return true
  }
}

function readJson(text: string): unknown {
  if (!text.trim()) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return new Problem('That is not valid JSON yet.')
  }
}
