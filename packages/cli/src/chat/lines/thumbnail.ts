import type { ResultFile } from './result-files.ts'

/** A small picture in the transcript. */
export interface Thumbnail {
  /** Rows of the terminal that it covers. */
  readonly rows: number
  /** Draws it at the cursor. Contract: made here, of base64 text and numbers only; it may move the cursor. */
  readonly sequence: string
}

/** Ways in which terminals take pictures: that of kitty (PNG alone), and that of iTerm2. */
export type PictureProtocol = 'kitty' | 'iterm'

/** Undefined where the terminal is not known to draw pictures, and inside tmux and screen, which pass none on. */
export function pictureProtocol(env: NodeJS.ProcessEnv): PictureProtocol | undefined {
  const { TERM = '', TERM_PROGRAM = '', TMUX, STY, KITTY_WINDOW_ID } = env
  if (TMUX || STY || TERM.startsWith('screen') || TERM.startsWith('tmux')) return undefined
  if (KITTY_WINDOW_ID || TERM === 'xterm-kitty' || /^ghostty$/i.test(TERM_PROGRAM)) return 'kitty'
  return /^(iTerm\.app|WezTerm|mintty)$/.test(TERM_PROGRAM) ? 'iterm' : undefined
}

const mostRows = 10
/** Pixels of a character, roughly: a small picture is not enlarged. */
const cell = { width: 10, height: 20 }
/** Base64 characters; a larger picture is named. */
const largest = 2_000_000

const isPicture = /^image\/(jpeg|gif|webp)$/

/** Undefined for what the terminal cannot draw: it is named. */
export function thumbnail(file: ResultFile, protocol: PictureProtocol, width: number): Thumbnail | undefined {
  const { data } = file
  if (data.length > largest || !/^[A-Za-z0-9+/]+={0,2}$/.test(data)) return undefined
  const size = pngSize(data)
  if (!size)
    return protocol === 'iterm' && isPicture.test(file.mediaType)
      ? { rows: mostRows, sequence: iterm(data, mostRows, 'auto') }
      : undefined
  const most = { rows: Math.min(mostRows, Math.ceil(size.height / cell.height)), columns: Math.max(1, width - 2) }
  const columnsOf = (rows: number) =>
    Math.max(1, Math.round((rows * cell.height * size.width) / size.height / cell.width))
  const columns = Math.min(most.columns, columnsOf(most.rows))
  const rows = Math.max(1, Math.round((most.rows * columns) / columnsOf(most.rows)))
  return { rows, sequence: protocol === 'kitty' ? kitty(data, rows, columns) : iterm(data, rows, columns) }
}

/** Pixels of a PNG, which its first bytes tell. Undefined for other formats. */
function pngSize(data: string): { readonly width: number; readonly height: number } | undefined {
  const bytes = Buffer.from(data.slice(0, 32), 'base64')
  if (bytes.length < 24 || bytes.toString('latin1', 1, 4) !== 'PNG') return undefined
  const size = { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
  return size.width && size.height ? size : undefined
}

/** Bytes that one sequence of the kitty protocol may carry. */
const chunkLength = 4096

/** `q=2`: the terminal sends no answer, which would be read as keys. */
function kitty(data: string, rows: number, columns: number): string {
  const chunks = Array.from({ length: Math.ceil(data.length / chunkLength) }, (_, i) =>
    data.slice(i * chunkLength, (i + 1) * chunkLength),
  )
  return chunks
    .map((chunk, i) => {
      const more = `m=${i < chunks.length - 1 ? 1 : 0}`
      return `\x1b_G${i ? more : `a=T,f=100,C=1,q=2,r=${rows},c=${columns},${more}`};${chunk}\x1b\\`
    })
    .join('')
}

const iterm = (data: string, rows: number, columns: number | 'auto'): string =>
  `\x1b]1337;File=inline=1;width=${columns};height=${rows};preserveAspectRatio=1:${data}\x07`
