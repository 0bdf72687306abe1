import { type FilePart, type ResultPart, toldArgs } from '../core/message.ts'
import { fileData, readData, toBase64 } from './provider-file.ts'
import type { Target } from './provider-spec.ts'

/** A result in the provider's form. */
export function outputOf({ status, value: given, args }: ResultPart, target: Target): unknown {
  const value = args === undefined ? given : withNote(toldArgs(args), given)
  const text = typeof value === 'string'
  if (status !== 'ok') return { type: text ? 'error-text' : 'error-json', value: value ?? status }
  if (text) return { type: 'text', value }
  const shown = shownParts(value)
  if (!shown) return { type: 'json', value: value ?? null }
  if (target.filesInResults) return { type: 'content', value: shown.map(part => contentForm(part, target)) }
  return { type: 'text', value: shown.map(part => (part.type === 'text' ? part.text : announced(part))).join('\n') }
}

function withNote(note: string, value: unknown): unknown {
  if (typeof value === 'string') return `${note}\n\n${value}`
  const shown = shownParts(value)
  return shown ? [{ type: 'text', text: note }, ...shown] : { note, result: value }
}

const announced = ({ name, mediaType }: FilePart): string => `[${name ?? mediaType}: shown below]`

/** The files in a result. */
export const shownFiles = ({ status, value }: ResultPart): readonly FilePart[] =>
  status === 'ok' ? (shownParts(value) ?? []).filter(isFile) : []

type Shown = FilePart | { readonly type: 'text'; readonly text: string }

/** A tool shows a file, or several with text, by returning message parts. */
function shownParts(value: unknown): readonly Shown[] | undefined {
  const given = Array.isArray(value) ? value : [value]
  return given.some(isFile) && given.every(part => isFile(part) || isText(part)) ? given : undefined
}
const isText = (part: unknown): part is Shown =>
  typeof part === 'object' && part !== null && 'text' in part && typeof part.text === 'string'
const isFile = (part: unknown): part is FilePart =>
  typeof part === 'object' &&
  part !== null &&
  'type' in part &&
  part.type === 'file' &&
  'data' in part &&
  'mediaType' in part

function contentForm(part: Shown, target: Target): unknown {
  if (part.type === 'text') return { type: 'text', text: part.text }
  const { mediaType } = part
  if (target.spec === 'v4') return { type: 'file', mediaType, data: fileData(part, target) }
  const data = readData(part.data)
  const image = mediaType.startsWith('image/')
  if (data instanceof URL) return { type: image ? 'image-url' : 'file-url', url: data.href, mediaType }
  const type = target.spec === 'v2' ? 'media' : image ? 'image-data' : 'file-data'
  return { type, mediaType, data: toBase64(data) }
}
