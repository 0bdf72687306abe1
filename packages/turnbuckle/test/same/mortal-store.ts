import type { Commit, ConversationStore, Driver } from 'turnbuckle/stores'
import type { Library } from './library.ts'

/** The longest lease: in these programs a writer loses it only by dying. */
const leaseMs = 1_000_000_000

export interface MortalStore {
  readonly store: ConversationStore
  /** Drops every later commit of its process, and ends its leases. */
  end(): void
}

/** A driver that answers later: when everything else has come to rest. */
export function later(driver: Driver): Driver {
  const rest = () => new Promise<void>(resolve => setTimeout(resolve, 0))
  return new Proxy(driver, {
    get(target, name) {
      const member = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      return async (...given: unknown[]) => {
        const answer = (async () => member.apply(target, given))()
        answer.catch(() => {})
        await rest()
        return answer
      }
    },
  })
}

export type Fate = 'go' | 'die' | 'die behind it'

/** A store as one process sees it. `fateOf` says of each commit whether the process lives on, and is asked again after its death. */
export function mortalStore(
  library: Library,
  driver: Driver,
  fateOf: (commit: Commit) => Fate,
  answersLater: boolean,
): MortalStore {
  let dead = false
  const held = new Map<string, { readonly holder: string; readonly fence: number }>()
  const commit = (given: Commit): ReturnType<Driver['commit']> => {
    const fate = dead ? 'die' : fateOf(given)
    if (fate !== 'die') {
      const done = driver.commit(given)
      if (!(done instanceof Promise)) held.set(given.conversation, { holder: given.holder, fence: done.fence })
      if (fate === 'go') return done
    }
    dead = true
    return new Promise(() => {})
  }
  const mortal = new Proxy(driver, {
    get(target, name) {
      if (name === 'commit') return commit
      if (name === 'renew' && dead) return () => new Promise(() => {})
      const member = Reflect.get(target, name)
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
  return {
    store: library.stores.createStore(answersLater ? later(mortal) : mortal, { leaseMs, waitMs: 200 }),
    end() {
      dead = true
      for (const [conversation, { holder, fence }] of held) driver.renew(conversation, holder, fence, -1)
    },
  }
}
