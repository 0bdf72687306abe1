import { type FSWatcher, watch } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { type Bundle, bundle } from '../settings/bundle.ts'
import type { Runnable } from '../settings/trust.ts'
import type { Composed } from './compose.ts'
import { fillSlot, hookItem, makeSlot, type Slot } from './slots.ts'
import { readSwitches } from './switches.ts'

export interface HookNews {
  /** Asks whether changed code of the project may run; what the user wrote needs no question. */
  trust(item: Runnable): Promise<boolean>
  reloaded(use: string): void
  /** It is broken, or was refused: the old one stays. */
  kept(use: string, why: string): void
}

/**
 * Puts a hook file into force when it is saved, at the next stage. One that is broken keeps the old. Returns how to stop.
 */
export function watchHooks(composed: Composed, news: HookNews): () => void {
  const stops = composed.slots.flatMap(slot => (slot.code ? [watchSlot(composed, slot, slot.code, news)] : []))
  return () => {
    for (const stop of stops) stop()
  }
}

function watchSlot(composed: Composed, slot: Slot, code: Bundle, news: HookNews): () => void {
  let pending: NodeJS.Timeout | undefined
  let last = Promise.resolve()
  const folders = new Set(code.files.map(file => dirname(resolve(dirname(code.path), file))))
  const changed = () => {
    clearTimeout(pending)
    // Editors write a file in several steps.
    pending = setTimeout(() => {
      last = last.then(() => reload(composed, slot, news))
    }, 50)
  }
  const watchers = [...folders].flatMap((folder): FSWatcher[] => {
    try {
      return [watch(folder, changed)]
    } catch {
      return []
    }
  })
  // What was saved between reading it and watching it counts too.
  changed()
  return () => {
    clearTimeout(pending)
    for (const watcher of watchers) watcher.close()
  }
}

/** The hash that was refused last, so that one question is asked once. */
const refused = new WeakMap<Slot, string>()

async function reload(composed: Composed, slot: Slot, news: HookNews): Promise<void> {
  const { agent, loaded } = composed
  const { use } = slot.entry
  try {
    const code = await bundle(slot.code?.path ?? '')
    if (code.hash === slot.code?.hash || code.hash === refused.get(slot)) return
    const item = hookItem(slot.entry, code)
    if (slot.from === 'project' && !loaded.trust.has(loaded.root, item)) {
      if (!(await news.trust(item))) {
        refused.set(slot, code.hash)
        news.kept(use, 'it is not trusted')
        return
      }
      loaded.trust.add(loaded.root, [item])
    }
    const made = await makeSlot({ entry: slot.entry, code })
    fillSlot(agent, slot, made, readSwitches(loaded.home, loaded.root))
    slot.code = code
    news.reloaded(use)
  } catch (error) {
    news.kept(use, (error as Error).message)
  }
}
