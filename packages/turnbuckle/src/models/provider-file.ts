import { TurnbuckleError } from '../core/errors.ts'
import type { FilePart } from '../core/message.ts'
import type { Target } from './provider-spec.ts'

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
  if (/^https?:\/\//.test(data)) return new URL(data)
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
function checkAddress(url: URL, mediaType: string, { urls, name }: Target): void {
  for (const [type, patterns] of Object.entries(urls)) {
    const prefix = type.replace(/\*.*$/, '')
    if (mediaType.startsWith(prefix) && patterns.some(pattern => pattern.test(url.href))) return
  }
  throw new TurnbuckleError(
    'file.address',
    `${name} does not read ${mediaType} from ${url.origin}. Fetch it and pass the bytes: { type: 'file', mediaType, data: bytes }.`,
    { kind: 'validation' },
  )
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
