import type { KeptFile } from 'turnbuckle/stores'
import type { AnsweredBytes } from './contract.ts'

/** Media types that a browser draws and never runs. An SVG may hold scripts. */
const drawn = /^image\/(png|jpeg|gif|webp|avif)$/

/** A file that a person has uploaded, in an answer from which no script runs: to save, in a sandbox, and of no type that a browser runs. */
export const fileAnswer = ({ mediaType, name }: KeptFile, bytes: Uint8Array<ArrayBuffer>): AnsweredBytes => ({
  bytes,
  headers: {
    'content-type': drawn.test(mediaType) ? mediaType : 'application/octet-stream',
    'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name ?? 'file').replace(/['()*]/g, escaped)}`,
    'content-security-policy': "default-src 'none'; sandbox",
    'cache-control': 'no-store',
  },
})

const escaped = (char: string): string => `%${char.charCodeAt(0).toString(16).toUpperCase()}`
