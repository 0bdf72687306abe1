import type { Commit, Driver } from 'turnbuckle/stores'

/** A driver whose process dies at a commit: that one and all later ones are never done, or done and never acknowledged. */
export function frozenAt(driver: Driver, commit: number, done: boolean): Driver & { readonly commits: number } {
  let commits = 0
  const frozen = new Proxy(driver, {
    get(target, name) {
      if (name === 'commits') return commits
      const member = Reflect.get(target, name)
      if (name !== 'commit') return typeof member === 'function' ? member.bind(target) : member
      return (given: Commit) => {
        if (given.records.length) commits++
        if (commits < commit) return target.commit(given)
        if (commits === commit && done) target.commit(given)
        return new Promise(() => {})
      }
    },
  })
  return frozen as Driver & { readonly commits: number }
}
