import { readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { type Middleware, middleware } from 'turnbuckle'
import type { ConversationStore } from 'turnbuckle/stores'
import { type KeptTurns, TurnKeeper } from './kept-turns.ts'
import {
  type FileVersion,
  hashOf,
  joinTurns,
  joinVersions,
  placeBefore,
  type WrittenInTurn,
  type WrittenInTurns,
} from './written-turns.ts'

/** Files by what can be done with them. */
export interface ComparedFiles {
  /** As the tool left them. */
  readonly back: readonly FileVersion[]
  /** Changed since. */
  readonly changed: readonly FileVersion[]
  /** Deleted since. */
  readonly deleted: readonly FileVersion[]
}

export interface RestoredFiles extends ComparedFiles {
  /** Files that could not be written, and why. */
  readonly failed: readonly { readonly path: string; readonly reason: string }[]
}

const mostBytes = 5_000_000

/** Keeps what files were before each turn wrote them, so that turns can be undone, the last one first. */
export class FileVersions {
  readonly #keeper: TurnKeeper
  readonly #root: string

  constructor(store: ConversationStore, root: string) {
    this.#keeper = new TurnKeeper(store)
    this.#root = root
  }

  get use(): Middleware {
    return middleware({
      name: 'file-versions',
      description: 'Keeps files as they were before a tool changes them, so that a turn can be undone.',
      onFailure: 'open',
      tools: ['write_file', 'edit_file', 'shell'],
      wrapTool: async (ctx, next) => {
        const { name, args } = ctx.call
        const { path, command } = (args ?? {}) as { path?: unknown; command?: unknown }
        const before = name !== 'shell' && typeof path === 'string' ? this.#read(path) : undefined
        const result = await next()
        const turnId = rootOf(ctx.turn).id
        const conversation = rootOf(ctx.turn).conversationId
        if (typeof command === 'string') await this.#keep(conversation, { turnId, files: [], commands: [command] })
        else if (typeof path === 'string' && before !== undefined)
          await this.#keepFile(conversation, turnId, path, before)
        return result
      },
    })
  }

  /** Undefined where it is too large to be kept, cannot be read, or is no file: a pipe or a device has no end. */
  #read(path: string): string | null | undefined {
    try {
      const full = resolve(this.#root, path)
      const stats = statSync(full)
      return stats.isFile() && stats.size <= mostBytes ? readFileSync(full).toString('base64') : undefined
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'ENOENT' ? null : undefined
    }
  }
  /** A file that was written, by the one path that it has: calls spell it in several ways, and through links. */
  #pathOf(path: string): string {
    return relative(realpathSync(this.#root), realpathSync(resolve(this.#root, path)))
  }
  /** What is at the place of a file now. A link that was put there is another file, and undefined. */
  #now(path: string): string | null | undefined {
    try {
      const full = resolve(realpathSync(this.#root), path)
      return realpathSync(full) === full ? this.#read(full) : undefined
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'ENOENT' ? null : undefined
    }
  }

  async #keepFile(conversation: string, turnId: string, path: string, before: string | null): Promise<void> {
    const now = this.#read(path)
    if (typeof now !== 'string' || now === before) return
    const file = { path: this.#pathOf(path), before, after: hashOf(now) }
    await this.#keep(conversation, { turnId, files: [file], commands: [] })
  }

  /** The first version before a turn counts, the last one after it. */
  async #keep(conversation: string, { turnId, files, commands }: WrittenInTurn): Promise<void> {
    await this.#keeper.change(conversation, kept => {
      const same = kept.turns.find(turn => turn.turnId === turnId)
      const written: WrittenInTurn = {
        turnId,
        files: files.reduce(joinVersions, same?.files ?? []),
        commands: [...(same?.commands ?? []), ...commands],
      }
      return { ...kept, turns: [...kept.turns.filter(turn => turn !== same), written] }
    })
  }

  /** Reads what the turns of a conversation wrote ahead of a question about it. */
  async read(conversation: string): Promise<void> {
    await this.#keeper.read(conversation)
  }

  /** The turns that wrote files and were not undone, the last one first. */
  async writingTurns(conversation: string): Promise<readonly WrittenInTurn[]> {
    const { turns } = await this.#keeper.read(conversation)
    return turns.filter(({ files }) => files.length).reverse()
  }

  /** What the last turns that wrote a file have written, so many of them, and the commands that ran in them and since. */
  async writtenSince(conversation: string, count = 1): Promise<WrittenInTurns> {
    const { turns } = await this.#keeper.read(conversation)
    return joinTurns(turns.slice(placeBefore(turns, count)))
  }

  /** What was written since the first of these turns, and the commands that ran since. */
  async writtenFrom(conversation: string, turnIds: ReadonlySet<string>): Promise<WrittenInTurns> {
    const { turns, dropped } = await this.#keeper.read(conversation)
    const isShort = dropped.some(turnId => turnIds.has(turnId))
    const first = turns.findIndex(({ turnId }) => turnIds.has(turnId))
    return joinTurns(first < 0 ? [] : turns.slice(first), isShort)
  }

  /** Whether these turns wrote no file, as far as is known without waiting for the store. */
  isKnownClean(conversation: string, turnIds: ReadonlySet<string>): boolean {
    const known = this.#keeper.known(conversation)
    const first = known?.turns.findIndex(({ turnId }) => turnIds.has(turnId))
    return first !== undefined && (first < 0 || !known?.turns.slice(first).some(({ files }) => files.length))
  }

  compare({ files }: Pick<WrittenInTurn, 'files'>): ComparedFiles {
    const found = files.map(file => ({ file, now: this.#now(file.path) }))
    const isSame = ({ file, now }: (typeof found)[number]) => typeof now === 'string' && hashOf(now) === file.after
    const those = (which: (one: (typeof found)[number]) => boolean) => found.filter(which).map(({ file }) => file)
    return {
      back: those(isSame),
      changed: those(one => one.now !== null && !isSame(one)),
      deleted: those(({ now }) => now === null),
    }
  }

  /**
   * Puts files of turns back as they were before them, those that are as the tool left them. Then the turn before is the last that can be undone. What was
   * left, or could not be written, is kept: it can be undone once it can.
   */
  async restore(conversation: string, asked: Pick<WrittenInTurns, 'turnIds' | 'files'>): Promise<RestoredFiles> {
    let restored: RestoredFiles = { back: [], changed: [], deleted: [], failed: [] }
    await this.#keeper.change(conversation, kept => {
      const turns = kept.turns.filter(({ turnId }) => asked.turnIds.includes(turnId))
      const paths = new Set(turns.flatMap(({ files }) => files.map(({ path }) => path)))
      const files = asked.files.filter(({ path }) => paths.has(path))
      restored = this.#putBack(files)
      const done = new Set(files.filter(({ path, before }) => this.#now(path) === before).map(({ path }) => path))
      return withoutFiles(kept, new Set(turns), done)
    })
    return restored
  }
  #putBack(files: readonly FileVersion[]): RestoredFiles {
    const compared = this.compare({ files })
    const failed = compared.back.flatMap(file => {
      try {
        this.#write(file)
        return []
      } catch (error) {
        return [{ path: file.path, reason: (error as Error).message }]
      }
    })
    const isDone = ({ path }: FileVersion) => !failed.some(file => file.path === path)
    return { ...compared, back: compared.back.filter(isDone), failed }
  }
  #write({ path, before }: FileVersion): void {
    const full = resolve(realpathSync(this.#root), path)
    if (before === null) rmSync(full)
    else writeFileSync(full, Buffer.from(before, 'base64'))
  }
}

/** A turn of which no file is left is forgotten, with its commands. */
function withoutFiles(kept: KeptTurns, turns: ReadonlySet<WrittenInTurn>, paths: ReadonlySet<string>): KeptTurns {
  const left = kept.turns.flatMap(turn => {
    if (!turns.has(turn)) return [turn]
    const files = turn.files.filter(({ path }) => !paths.has(path))
    if (!files.length) return []
    return files.length === turn.files.length ? [turn] : [{ ...turn, files }]
  })
  return { ...kept, turns: left }
}

/** Files that a sub-agent wrote belong to the turn of the person. */
function rootOf<Turn extends { readonly parent: Turn | undefined }>(turn: Turn): Turn {
  let root = turn
  while (root.parent) root = root.parent
  return root
}
