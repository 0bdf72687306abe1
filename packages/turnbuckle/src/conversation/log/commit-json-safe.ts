import type { Commit, Driver } from '../stores/driver.ts'
import { sayable } from './json-safe.ts'

/**
 * Commits. A hook may have emitted, kept or asked something that JSON cannot say: that must not end the turn, nor keep
 * the log from what else has happened, so it is written down as well as can be.
 */
export function commitSayably(driver: Driver, commit: Commit): ReturnType<Driver['commit']> {
  const again = (error: unknown): ReturnType<Driver['commit']> => {
    if (!(error instanceof TypeError || (error as Error).cause instanceof TypeError)) throw error
    return driver.commit({
      ...commit,
      records: commit.records.map(record => ({ ...record, body: sayable(record.body) })),
    })
  }
  try {
    const committed = driver.commit(commit)
    return committed instanceof Promise ? committed.catch(again) : committed
  } catch (error) {
    return again(error)
  }
}
