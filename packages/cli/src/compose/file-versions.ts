import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { type Middleware, middleware } from 'turnbuckle'
import type { ConversationStore } from 'turnbuckle/stores'

/** A file that a tool has written in a turn. */
export interface FileVersion {
  readonly path: string
  /** Base64 of the content before the turn; null where there was no file. */
  readonly before: string | null
  /** Hash of the content that the tool left. */
  readonly after: string
}

export interface WrittenInTurn {
  readonly turnId: string
  readonly files: readonly FileVersion[]
  /** Command lines that ran in the turn. */
  readonly commands: readonly string[]
}

const space = 'file-versions'
const mostBytes = 5_000_000
const month = 30 * 24 * 60 * 60 * 1000

/** Keeps what files were before the last turn wrote them, so that it can be undone. */
export class FileVersions {
  readonly #store: ConversationStore
  readonly #root: string
  /** By conversation. */
  readonly #last = new Map<string, WrittenInTurn>()

  constructor(store: ConversationStore, root: string) {
    this.#store = store
    this.#root = root
  }

  get use(): Middleware {
    return middleware({
      name: 'file-versions',
      onFailure: 'open',
      tools: ['write_file', 'edit_file', 'shell'],
      wrapTool: async (ctx, next) => {
        const { name, args } = ctx.call
        const { path, command } = (args ?? {}) as { path?: unknown; command?: unknown }
        const before = name !== 'shell' && typeof path === 'string' ? this.#read(path) : undefined
        const result = await next()
        const turnId = rootOf(ctx.turn).id
        const conversation = rootOf(ctx.turn).conversationId
        if (typeof command === 'string') this.#keep(conversation, turnId, { command })
        else if (typeof path === 'string' && before !== undefined) this.#keepFile(conversation, turnId, path, before)
        return result
      },
    })
  }

  /** Undefined where the file is too large to be kept, or cannot be read. */
  #read(path: string): string | null | undefined {
    try {
      const content = readFileSync(resolve(this.#root, path))
      return content.length > mostBytes ? undefined : content.toString('base64')
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'ENOENT' ? null : undefined
    }
  }

  #keepFile(conversation: string, turnId: string, path: string, before: string | null): void {
    const now = this.#read(path)
    if (typeof now === 'string' && now !== before)
      this.#keep(conversation, turnId, { file: { path, before, after: hashOf(now) } })
  }

  /** The first version before a turn counts, the last one after it. */
  #keep(conversation: string, turnId: string, news: { readonly file?: FileVersion; readonly command?: string }): void {
    const known = this.#last.get(conversation)
    const same = known?.turnId === turnId ? known : { turnId, files: [], commands: [] }
    const { file, command } = news
    const earlier = same.files.find(({ path }) => path === file?.path)
    const others = same.files.filter(({ path }) => path !== file?.path)
    const written: WrittenInTurn = {
      turnId,
      files: file ? [...others, { ...file, before: earlier ? earlier.before : file.before }] : same.files,
      commands: command === undefined ? same.commands : [...same.commands, command],
    }
    this.#last.set(conversation, written)
    void this.#save(conversation, written)
  }
  /** A store that fails must not fail the turn: this process can still undo. */
  async #save(conversation: string, written: WrittenInTurn | undefined): Promise<void> {
    try {
      await this.#store.set(space, conversation, written, Date.now() + month)
    } catch {
      // Kept in memory.
    }
  }

  async lastTurn(conversation: string): Promise<WrittenInTurn | undefined> {
    const kept = this.#last.get(conversation) ?? (await this.#store.get(space, conversation))
    return kept as WrittenInTurn | undefined
  }

  /** Files that are as the tool left them, and those that were changed since. */
  compare({ files }: WrittenInTurn): {
    readonly back: readonly FileVersion[]
    readonly changed: readonly FileVersion[]
  } {
    const isSame = ({ path, after }: FileVersion) => {
      const now = this.#read(path)
      return typeof now === 'string' && hashOf(now) === after
    }
    return { back: files.filter(isSame), changed: files.filter(file => !isSame(file)) }
  }

  /** Puts files back as they were before the turn. What was put back is not put back again. */
  async restore(conversation: string, files: readonly FileVersion[]): Promise<void> {
    for (const { path, before } of files) {
      const full = resolve(this.#root, path)
      if (before === null) rmSync(full, { force: true })
      else {
        mkdirSync(dirname(full), { recursive: true })
        writeFileSync(full, Buffer.from(before, 'base64'))
      }
    }
    this.#last.delete(conversation)
    await this.#save(conversation, undefined)
  }
}

export const eraseFileVersions = async (store: ConversationStore, conversation: string): Promise<void> =>
  store.set(space, conversation, undefined)

const hashOf = (base64: string): string => createHash('sha256').update(base64).digest('hex')

/** Files that a sub-agent wrote belong to the turn of the person. */
function rootOf<Turn extends { readonly parent: Turn | undefined }>(turn: Turn): Turn {
  let root = turn
  while (root.parent) root = root.parent
  return root
}
