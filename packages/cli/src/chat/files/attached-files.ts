import { readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { extname, relative, resolve } from 'node:path'
import type { FilePart } from 'turnbuckle'

const mediaTypes: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.pdf': 'application/pdf',
}
const mostText = 500_000
const mostBytes = 20_000_000

/** `@src/a.ts`, `@"a file.txt"`: marks of files in what was written. */
const marks = /(?<=^|\s)@(?:"([^"\n]+)"|(\S+))/g

/** The files that a text names. A mark that is no file is only text; a file that cannot be sent throws. */
export function attachedFiles(text: string, root: string): readonly FilePart[] {
  const paths = Array.from(text.matchAll(marks), ([, quoted, plain = '']) => quoted ?? plain.replace(/[.,;:!?)]+$/, ''))
  return [...new Set(paths)].flatMap(path => filePart(path, root) ?? [])
}

function filePart(path: string, root: string): FilePart | undefined {
  const full = resolve(root, path.replace(/^~(?=\/)/, homedir()))
  const stats = statSync(full, { throwIfNoEntry: false })
  if (!stats?.isFile()) return undefined
  const mediaType = mediaTypes[extname(full).toLowerCase()]
  const most = mediaType ? mostBytes : mostText
  if (stats.size > most) throw new Error(`@${path} is too large to send: ${stats.size} bytes, at most ${most}.`)
  const data = readFileSync(full)
  if (!mediaType && data.includes(0)) throw new Error(`@${path} is neither text nor an image.`)
  const inside = relative(root, full)
  const name = inside.startsWith('..') ? full : inside
  return { type: 'file', mediaType: mediaType ?? 'text/plain', data, name }
}
