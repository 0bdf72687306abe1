import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Hono } from 'hono'
import type { Visit } from './app.ts'
import { diagramPolicy } from './safe-headers.ts'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json',
  '.json': 'application/json',
}

/** Addresses of the page itself: the beginning, a conversation, the settings. */
const pageAddress = /^\/([cs]\/[^/]+|settings(\/[a-z]+)?)?$/

interface File {
  readonly type: string
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Packed when it is first asked for: most grammars and diagrams of the web app never are. */
  zipped?: Uint8Array<ArrayBuffer>
}

function zipped(file: File): Uint8Array<ArrayBuffer> {
  file.zipped ??= new Uint8Array(gzipSync(file.bytes))
  return file.zipped
}

/** Serves the web app's files, read once at the start: no path of a request leads out of the folder. */
export function mountWebFiles(app: Hono<Visit>, folder: string): void {
  const files = new Map<string, File>()
  for (const path of existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }) : []) {
    if (!path.isFile()) continue
    const full = join(path.parentPath, path.name)
    const type = types[extname(path.name)]
    if (!type) continue
    const bytes = new Uint8Array(readFileSync(full))
    files.set(`/${relative(folder, full).split(sep).join('/')}`, { type, bytes })
  }
  app.get('*', (c, next) => {
    const path = pageAddress.test(c.req.path) ? '/index.html' : c.req.path
    const file = files.get(path)
    if (!file) return next()
    const zip = /\bgzip\b/.test(c.req.header('accept-encoding') ?? '')
    const lasting = path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache'
    return c.body(zip ? zipped(file) : file.bytes, 200, {
      'content-type': file.type,
      'cache-control': lasting,
      vary: 'accept-encoding',
      ...(zip ? { 'content-encoding': 'gzip' } : {}),
      ...(path === '/diagram.html' ? { 'content-security-policy': diagramPolicy } : {}),
    })
  })
}
