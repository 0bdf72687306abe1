import { type FilePart, isFile, type ResultPart, toldArgs } from '../core/base/message.ts'
import { canShow, described, fileData, readData, toBase64 } from './provider-file.ts'
import type { Target, Viewer } from './provider-spec.ts'

/** A result in the provider's form. */
export function outputOf({ status, value: given, args }: ResultPart, target: Target): unknown {
  const value = args === undefined ? given : withNote(toldArgs(args), given)
  const text = typeof value === 'string'
  if (status !== 'ok') return { type: text ? 'error-text' : 'error-json', value: value ?? status }
  if (text) return { type: 'text', value }
  const shown = shownParts(value)?.map(part => shownTo(target, part))
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

/** The files in a result that the provider takes. */
export const shownFiles = ({ status, value }: ResultPart, target: Target): readonly FilePart[] =>
  status === 'ok' ? (shownParts(value) ?? []).map(part => shownTo(target, part)).filter(isFile) : []

/** A file that the provider takes, or else what can be said of it. */
export const shownTo = (viewer: Viewer, part: Shown): Shown =>
  part.type === 'text' || canShow(part, viewer) ? part : { type: 'text', text: described(part, viewer) }

export type Shown = FilePart | { readonly type: 'text'; readonly text: string }

/** A tool shows a file, or several among other things, by returning message parts. What is neither file nor text is told as JSON. */
export function shownParts(value: unknown): readonly Shown[] | undefined {
  const given: readonly unknown[] = Array.isArray(value) ? value : [value]
  return given.some(isFile)
    ? given.map(part => (isFile(part) ? part : { type: 'text', text: asText(part) }))
    : undefined
}
function asText(part: unknown): string {
  if (typeof part === 'string') return part
  const { text } = Object(part) as { text?: unknown }
  return typeof text === 'string' ? text : JSON.stringify(part)
}

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
