import { type FSWatcher, statSync, watch } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { bundleModule, type ModuleBundle } from '../../settings/bundle-module.ts'
import type { TrustItem } from '../../settings/trust-file.ts'
import type { ComposedAgent } from '../compose-agent.ts'
import {
  type ConfiguredMiddleware,
  hookTrustItem,
  makeMiddleware,
  registerMiddleware,
} from '../configured-middleware.ts'
import { readSwitches } from '../middleware-switches.ts'

export interface HookNews {
  /** Resolves when a person may be asked: not while a turn runs. */
  idle(): Promise<void>
  /**
   * Asks whether changed code of the project may run; what the user wrote needs no question. `saved`: aborted when the code is another by now, so that
   * the question has to go.
   */
  trust(item: TrustItem, saved: AbortSignal): Promise<boolean>
  reloaded(use: string): void
  /** The saved module is broken or was refused: the old middleware stays. */
  kept(use: string, why: string): void
}

/** Milliseconds of quiet before a saved module is read: editors write a file in several steps. */
const settleMs = 50
/**
 * Milliseconds until a broken module is read again: it may wait for a file in a folder that does not exist and cannot
 * be watched.
 */
const brokenMs = 1000

/**
 * Puts a hook file into force when it, or anything it imports, is saved: at the next stage. One that is broken keeps the
 * old. Returns how to stop.
 */
export function watchHooks(composed: ComposedAgent, news: HookNews): () => void {
  const watched = composed.configured.flatMap(configured =>
    configured.code ? [new WatchedModule(composed, configured, configured.code, news)] : [],
  )
  return () => {
    for (const module of watched) module.stop()
  }
}

class WatchedModule {
  readonly #composed: ComposedAgent
  readonly #configured: ConfiguredMiddleware
  readonly #path: string
  readonly #news: HookNews
  #folders: ReadonlyMap<string, FSWatcher> = new Map()
  #pending: NodeJS.Timeout | undefined
  #last: Promise<void> = Promise.resolve()
  #stopped = false
  /** The save that was refused last, and the message that was said last: each is asked or said once. */
  #refused: string | undefined
  #said: string | undefined
  /** The content that a person is asked about at this moment. */
  #asked: { readonly hash: string; readonly saved: AbortController } | undefined

  constructor(composed: ComposedAgent, configured: ConfiguredMiddleware, code: ModuleBundle, news: HookNews) {
    this.#composed = composed
    this.#configured = configured
    this.#path = code.path
    this.#news = news
    this.#watch(code)
  }

  stop(): void {
    this.#stopped = true
    clearTimeout(this.#pending)
    for (const watcher of this.#folders.values()) watcher.close()
  }

  #changed(wait = settleMs): void {
    clearTimeout(this.#pending)
    if (this.#stopped) return
    this.#pending = setTimeout(() => {
      void this.#withdrawOldQuestion()
      this.#last = this.#last.then(() => this.#read())
    }, wait)
  }

  /** Nobody is to trust what is not in the file any more: half of a save, or the save before. */
  async #withdrawOldQuestion(): Promise<void> {
    const asked = this.#asked
    if (!asked) return
    const code = await bundleModule(this.#path).catch(() => undefined)
    if (code?.hash !== asked.hash) asked.saved.abort()
  }

  /** Watches every folder of the module anew: a watcher of a folder that was replaced hears nothing more. */
  #watch(code: ModuleBundle): void {
    if (this.#stopped) return
    const { path, files } = code
    const before = this.#folders
    const folders = new Set(files.map(file => dirname(resolve(dirname(path), file))))
    this.#folders = new Map([...folders].flatMap(folder => this.#watchFolder(folder)))
    // An event of a save a moment ago may still be under way; a watcher that is closed at once would drop it.
    for (const watcher of before.values()) setTimeout(() => watcher.close(), settleMs)
    // A save between the bundling and the watching has no event, so a new folder is read once more.
    const isNew = code === this.#configured.code || [...folders].some(folder => !before.has(folder))
    if (isNew) this.#changed()
  }
  #watchFolder(folder: string): [string, FSWatcher][] {
    try {
      const watcher = watch(folder, () => this.#changed())
      watcher.on('error', () => this.#changed(brokenMs))
      return [[folder, watcher]]
    } catch {
      return []
    }
  }

  async #read(): Promise<void> {
    let code: ModuleBundle | undefined
    if (this.#configured.from === 'project') await this.#news.idle()
    if (this.#stopped) return
    try {
      code = await bundleModule(this.#path)
      await this.#use(code)
      this.#said = undefined
    } catch (error) {
      const { message } = error as Error
      if (message !== this.#said) this.#news.kept(this.#configured.entry.use, message)
      this.#said = message
    }
    if (code) this.#watch(code)
    else this.#changed(brokenMs)
  }

  async #use(code: ModuleBundle): Promise<void> {
    const { agent, loaded } = this.#composed
    const configured = this.#configured
    const save = saveOf(code)
    if (code.hash === configured.code?.hash || save === this.#refused) return
    const item = hookTrustItem(configured.entry, code)
    if (configured.from === 'project' && !loaded.trust.has(loaded.root, item)) {
      const saved = new AbortController()
      this.#asked = { hash: code.hash, saved }
      const isTrusted = await this.#news.trust(loaded.trust.compared(loaded.root, item), saved.signal)
      this.#asked = undefined
      if (saved.signal.aborted) return
      if (!isTrusted) {
        this.#refused = save
        // A no to another save is said once more.
        this.#said = undefined
        throw new Error('it is not trusted')
      }
      loaded.trust.add(loaded.root, [item])
    }
    registerMiddleware(
      agent,
      configured,
      await makeMiddleware({ entry: configured.entry, code }),
      readSwitches(loaded.home, loaded.root),
    )
    configured.code = code
    this.#news.reloaded(configured.entry.use)
  }
}

/** Tells saves apart: the same content that is saved once more is asked about once more. */
const saveOf = ({ hash, path, files }: ModuleBundle): string =>
  [hash, ...files.map(file => statSync(resolve(dirname(path), file), { throwIfNoEntry: false })?.mtimeMs)].join(' ')
