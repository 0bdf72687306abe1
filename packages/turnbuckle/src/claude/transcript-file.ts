import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Message, Part } from '../core/base/message.ts'
import { asClaudeCall } from './claude-tools.ts'

/**
 * A conversation as the JSON lines that Claude's hooks find at `transcript_path`. Written when a hook is about to run; what is already in the
 * file is not written again. The folder is this process's own, and goes with it.
 */
export class TranscriptFile {
  readonly #path: string
  readonly #session: string
  readonly #root: string
  #written: { readonly count: number; readonly last: string | undefined } = { count: 0, last: undefined }

  constructor(session: string, root: string) {
    this.#session = session
    this.#root = root
    this.#path = join(transcriptFolder(), `${session.replace(/[^\w-]/g, '_')}.jsonl`)
  }

  /** The file's path, with these messages in it. */
  write(messages: readonly Message[]): string {
    const { count, last } = this.#written
    const isLonger = count > 0 && messages[count - 1]?.id === last
    const lines = messages.slice(isLonger ? count : 0).map(message => `${JSON.stringify(this.#line(message))}\n`)
    if (isLonger) appendFileSync(this.#path, lines.join(''))
    else writeFileSync(this.#path, lines.join(''), { mode: 0o600 })
    this.#written = { count: messages.length, last: messages.at(-1)?.id }
    return this.#path
  }

  #line({ id, role, content }: Message) {
    const type = role === 'assistant' ? 'assistant' : role === 'system' ? 'system' : 'user'
    const parts = content.map(part => this.#part(part))
    return { type, uuid: id, sessionId: this.#session, cwd: this.#root, message: { role: type, content: parts } }
  }

  #part(part: Part) {
    switch (part.type) {
      case 'call': {
        const { tool: name, input } = asClaudeCall(part.name, part.args, this.#root)
        return { type: 'tool_use', id: part.id, name, input }
      }
      case 'result': {
        const content = typeof part.value === 'string' ? part.value : JSON.stringify(part.value)
        return { type: 'tool_result', tool_use_id: part.id, content, is_error: part.status !== 'ok' }
      }
      case 'reasoning':
        return { type: 'thinking', thinking: part.text }
      case 'text':
        return { type: 'text', text: part.text }
      default:
        return { type: part.type }
    }
  }
}

let folder: string | undefined

function transcriptFolder(): string {
  if (folder !== undefined) return folder
  const made = mkdtempSync(join(tmpdir(), 'turnbuckle-transcripts-'))
  process.once('exit', () => rmSync(made, { recursive: true, force: true }))
  folder = made
  return made
}
