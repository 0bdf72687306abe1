import { jsonSafe } from '../../core/base/json-safe.ts'
import type { Commit, Driver } from '../stores/driver.ts'

/**
 * Commits records. Where a hook has emitted, kept or asked something that JSON cannot say, the commit is repeated with
 * words in its place: neither the turn nor the other records of the commit are lost over it.
 */
export function commitAsJson(driver: Driver, commit: Commit): ReturnType<Driver['commit']> {
  const again = (error: unknown): ReturnType<Driver['commit']> => {
    if (!(error instanceof TypeError || (error as Error).cause instanceof TypeError)) throw error
    return driver.commit({
      ...commit,
      records: commit.records.map(record => ({ ...record, body: jsonSafe(record.body) })),
    })
  }
  try {
    const committed = driver.commit(commit)
    return committed instanceof Promise ? committed.catch(again) : committed
  } catch (error) {
    return again(error)
  }
}
