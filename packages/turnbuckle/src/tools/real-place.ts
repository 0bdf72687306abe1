import { realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** Characters of a path that a system takes. */
const longest = 4096
/** Levels that may not be there: the file tools make fewer at a time. */
const mostMissing = 200

/**
 * The real path of something that may not be there yet: of the nearest folder that is, and the names below it. A path that is too long or
 * too deep for the file tools is given back, since the system is asked for each level.
 */
export function realPlace(path: string): string {
  if (path.length > longest) return path
  const missing: string[] = []
  for (let at = path; missing.length <= mostMissing; at = dirname(at)) {
    try {
      // The system's own has letters as the file has them, also where `.GIT` is `.git`.
      return join(realpathSync.native(at), ...missing)
    } catch {
      if (dirname(at) === at) return path
      missing.unshift(basename(at))
    }
  }
  return path
}
