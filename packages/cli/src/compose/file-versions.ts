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
  /** Set where somebody else wrote the file between two turns that are undone together. */
  readonly wasChangedBetween?: true
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
/** Turns of a conversation that can be undone, one after the other. */
const mostTurns = 50

/** Keeps what files were before each turn wrote them, so that turns can be undone, the last one first. */
export class FileVersions {
  readonly #store: ConversationStore
  readonly #root: string
  /** The turns of a conversation that wrote, the last one last. */
  readonly #turns = new Map<string, readonly WrittenInTurn[]>()

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
        if (typeof command === 'string') await this.#keep(conversation, turnId, { command })
        else if (typeof path === 'string' && before !== undefined)
          await this.#keepFile(conversation, turnId, path, before)
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

  async #keepFile(conversation: string, turnId: string, path: string, before: string | null): Promise<void> {
    const now = this.#read(path)
    if (typeof now === 'string' && now !== before)
      await this.#keep(conversation, turnId, { file: { path, before, after: hashOf(now) } })
  }

  /** The first version before a turn counts, the last one after it. */
  async #keep(
    conversation: string,
    turnId: string,
    { file, command }: { readonly file?: FileVersion; readonly command?: string },
  ): Promise<void> {
    await this.#written(conversation)
    // Calls of one batch end at any time: from here on nothing is waited for until the turn is kept.
    const known = this.#turns.get(conversation) ?? []
    const turns = known.filter(turn => turn.turnId !== turnId)
    const same = known.find(turn => turn.turnId === turnId)
    const { files, commands } = same ?? { files: [], commands: [] }
    const earlier = files.find(({ path }) => path === file?.path)
    const others = files.filter(({ path }) => path !== file?.path)
    const written: WrittenInTurn = {
      turnId,
      files: file ? [...others, { ...file, before: earlier ? earlier.before : file.before }] : files,
      commands: command === undefined ? commands : [...commands, command],
    }
    this.#turns.set(conversation, [...turns, written].slice(-mostTurns))
    await this.#save(conversation, [[turnId, written]])
  }

  async #written(conversation: string): Promise<readonly WrittenInTurn[]> {
    if (!this.#turns.has(conversation)) {
      // A store that cannot be read must not fail the turn: this process can still undo.
      const kept = await readTurns(this.#store, conversation).catch(() => [])
      if (!this.#turns.has(conversation)) this.#turns.set(conversation, kept)
    }
    return this.#turns.get(conversation) ?? []
  }
  async #save(
    conversation: string,
    changed: readonly (readonly [turnId: string, written: WrittenInTurn | undefined])[],
  ): Promise<void> {
    const expiresAt = Date.now() + month
    const ids = (this.#turns.get(conversation) ?? []).map(({ turnId }) => turnId)
    try {
      for (const [turnId, written] of changed)
        await this.#store.set(space, placeOf(conversation, turnId), written, expiresAt)
      await this.#store.set(space, conversation, ids, expiresAt)
    } catch {
      // Kept in memory.
    }
  }

  /** The turns that wrote files and were not undone, the last one first. */
  async writingTurns(conversation: string): Promise<readonly WrittenInTurn[]> {
    return (await this.#written(conversation)).filter(({ files }) => files.length).reverse()
  }

  /** What the last turns that wrote a file have written, so many of them, and the commands that ran in them and since. */
  async writtenSince(conversation: string, count = 1): Promise<Omit<WrittenInTurn, 'turnId'>> {
    const turns = await this.#written(conversation)
    const since = turns.slice(placeBefore(turns, count))
    return {
      files: since.flatMap(({ files }) => files).reduce(joinVersions, []),
      commands: since.flatMap(({ commands }) => commands),
    }
  }

  /** Files that are as the tool left them, and those that were changed since. */
  compare({ files }: Pick<WrittenInTurn, 'files'>): {
    readonly back: readonly FileVersion[]
    readonly changed: readonly FileVersion[]
  } {
    const isSame = ({ path, after }: FileVersion) => {
      const now = this.#read(path)
      return typeof now === 'string' && hashOf(now) === after
    }
    return { back: files.filter(isSame), changed: files.filter(file => !isSame(file)) }
  }

  /** Puts files of the last turns back as they were before them. Then the turn before is the last that can be undone. */
  async restore(conversation: string, files: readonly FileVersion[], count = 1): Promise<void> {
    for (const { path, before } of files) {
      const full = resolve(this.#root, path)
      if (before === null) rmSync(full, { force: true })
      else {
        mkdirSync(dirname(full), { recursive: true })
        writeFileSync(full, Buffer.from(before, 'base64'))
      }
    }
    const turns = await this.#written(conversation)
    const place = placeBefore(turns, count)
    this.#turns.set(conversation, turns.slice(0, place))
    await this.#save(
      conversation,
      turns.slice(place).map(({ turnId }) => [turnId, undefined]),
    )
  }
}

/** The place of the first of the last turns that wrote a file, so many of them; that of the last turn where none did. */
function placeBefore(turns: readonly WrittenInTurn[], count: number): number {
  const writing = turns.flatMap(({ files }, place) => (files.length ? [place] : []))
  return writing.at(-count) ?? writing[0] ?? Math.max(0, turns.length - 1)
}

/** A file that several turns wrote is as it was before the first of them, and as the last one left it. */
function joinVersions(files: readonly FileVersion[], later: FileVersion): readonly FileVersion[] {
  const earlier = files.find(({ path }) => path === later.path)
  if (!earlier) return [...files, later]
  const isNext = later.before !== null && hashOf(later.before) === earlier.after
  const between = isNext && !earlier.wasChangedBetween ? {} : ({ wasChangedBetween: true } as const)
  const joined = { ...later, before: earlier.before, ...between }
  return files.map(file => (file === earlier ? joined : file))
}

const placeOf = (conversation: string, turnId: string): string => `${conversation}/${turnId}`

async function readTurns(store: ConversationStore, conversation: string): Promise<readonly WrittenInTurn[]> {
  const kept = (await store.get(space, conversation)) ?? []
  // The version before kept the last turn alone.
  if (!Array.isArray(kept)) return [kept as WrittenInTurn]
  const turns = await Promise.all(kept.map(turnId => store.get(space, placeOf(conversation, String(turnId)))))
  return turns.filter((turn): turn is WrittenInTurn => turn !== undefined)
}

export async function eraseFileVersions(store: ConversationStore, conversation: string): Promise<void> {
  for (const { turnId } of await readTurns(store, conversation))
    await store.set(space, placeOf(conversation, turnId), undefined)
  await store.set(space, conversation, undefined)
}

const hashOf = (base64: string): string => createHash('sha256').update(base64).digest('hex')

/** Files that a sub-agent wrote belong to the turn of the person. */
function rootOf<Turn extends { readonly parent: Turn | undefined }>(turn: Turn): Turn {
  let root = turn
  while (root.parent) root = root.parent
  return root
}
