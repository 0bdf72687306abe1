import type { Commit, Driver } from 'turnbuckle/stores'

export interface Mortal {
  readonly driver: Driver
  /** From now on nothing that this process writes gets through; its lease is over. */
  end(conversation: string): Promise<void>
}

/** A driver as a process sees it that will die. */
export function mortal(driver: Driver): Mortal {
  let dead = false
  let last: { readonly holder: string; readonly fence: number } | undefined
  let writing: Promise<unknown> = Promise.resolve()
  const seen = (holder: string, fence: number): void => {
    last = { holder, fence }
  }
  const commit = (given: Commit): ReturnType<Driver['commit']> => {
    if (dead) return new Promise(() => {})
    const done = driver.commit(given)
    if (!(done instanceof Promise)) {
      seen(given.holder, done.fence)
      return done
    }
    writing = done.catch(() => {})
    return done.then(result => {
      seen(given.holder, result.fence)
      return dead ? new Promise<never>(() => {}) : result
    })
  }
  const renew: Driver['renew'] = (...given) => (dead ? new Promise(() => {}) : driver.renew(...given))
  return {
    driver: new Proxy(driver, {
      get(target, name) {
        if (name === 'commit') return commit
        if (name === 'renew') return renew
        const member = Reflect.get(target, name)
        return typeof member === 'function' ? member.bind(target) : member
      },
    }),
    async end(conversation) {
      dead = true
      await writing
      if (last) await driver.renew(conversation, last.holder, last.fence, -1)
    },
  }
}
