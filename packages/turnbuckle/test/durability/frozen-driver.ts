import type { Commit, Driver } from 'turnbuckle/stores'

export interface FrozenDriver extends Driver {
  /** How many commits with something in them there were. */
  readonly commits: number
  /** Resolves when the process has died. */
  readonly died: Promise<void>
}

/** A driver whose process dies at a commit: that one and all later ones are never done, or done and never acknowledged. */
export function frozenAt(driver: Driver, commit: number, done: boolean): FrozenDriver {
  let commits = 0
  let die = () => {}
  const died = new Promise<void>(resolve => {
    die = resolve
  })
  const frozen = new Proxy(driver, {
    get(target, name) {
      if (name === 'commits') return commits
      if (name === 'died') return died
      const member = Reflect.get(target, name)
      if (name !== 'commit') return typeof member === 'function' ? member.bind(target) : member
      return (given: Commit) => {
        if (given.records.length) commits++
        if (commits < commit) return target.commit(given)
        if (commits === commit && done) target.commit(given)
        die()
        return new Promise(() => {})
      }
    },
  })
  return frozen as FrozenDriver
}
