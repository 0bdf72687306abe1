import { TurnbuckleError } from '../core/base/errors.ts'
import type { FilePart } from '../core/base/message.ts'
import type { Target, Viewer } from './provider-spec.ts'

/** Base64 text or raw bytes; an address where the provider fetches it itself. */
type FileData = string | Uint8Array | URL

const textual = /^(text\/|application\/(json|xml|x-yaml|yaml)\b)/

/** A text file's content: no provider refuses text, and some refuse text files. */
export function fileText(part: FilePart): string | undefined {
  if (!textual.test(part.mediaType)) return undefined
  const data = readData(part.data)
  if (data instanceof URL) return undefined
  const text = new TextDecoder().decode(typeof data === 'string' ? fromBase64(data) : data)
  return part.name ? `${part.name}:\n${text}` : text
}

/** Text that was an address or a data URL before it was stored becomes that again. */
export function readData(data: FilePart['data']): FileData {
  if (typeof data !== 'string') return data
  if (/^https?:\/\//.test(data) && URL.canParse(data)) return new URL(data)
  const base64 = /^data:[^,]*;base64,/.exec(data)
  return base64 ? data.slice(base64[0].length) : data
}

/** A file in the provider's form. */
export function fileData(part: FilePart, target: Target): unknown {
  const data = readData(part.data)
  const address = data instanceof URL
  if (address) checkAddress(data, part.mediaType, target)
  if (target.spec !== 'v4') return data
  return address ? { type: 'url', url: data } : { type: 'data', data }
}

/** Throws where the provider would not fetch the address: we do not fetch addresses that others have chosen. */
function checkAddress(url: URL, mediaType: string, target: Target): void {
  if (isFetched(url, mediaType, target)) return
  throw new TurnbuckleError(
    'file.address',
    `${target.name} does not read ${mediaType} from ${url.origin}. Fetch it and pass the bytes: { type: 'file', mediaType, data: bytes }.`,
    { kind: 'validation' },
  )
}
const isFetched = (url: URL, mediaType: string, { urls }: Viewer): boolean =>
  Object.entries(urls).some(
    ([type, patterns]) =>
      mediaType.startsWith(type.replace(/\*.*$/, '')) && patterns.some(pattern => pattern.test(url.href)),
  )

/** True where the provider takes a file that a tool has given. */
export function canShow({ mediaType, data: given }: FilePart, viewer: Viewer): boolean {
  if (!viewer.shows.test(mediaType)) return false
  const data = readData(given)
  return data instanceof URL ? isFetched(data, mediaType, viewer) : isWhole(data)
}

/** Bytes, or Base64 and nothing else. */
export const isWhole = (data: string | Uint8Array): boolean =>
  typeof data !== 'string' || (/^[A-Za-z\d+/]+={0,2}$/.test(data) && data.replace(/=+$/, '').length % 4 !== 1)

/** A text for a file that the provider does not take: its content if that is text, else that it is there. */
export function described(part: FilePart, { name }: Pick<Viewer, 'name'>): string {
  const data = readData(part.data)
  const text = !(data instanceof URL) && isWhole(data) ? fileText(part) : undefined
  return text ?? `[${part.name ?? part.mediaType}: a file that cannot be shown to ${name}]`
}

function fromBase64(text: string): Uint8Array {
  const binary = atob(text)
  return Uint8Array.from(binary, char => char.charCodeAt(0))
}

export function toBase64(data: string | Uint8Array): string {
  if (typeof data === 'string') return data
  let binary = ''
  for (const byte of data) binary += String.fromCharCode(byte)
  return btoa(binary)
}
