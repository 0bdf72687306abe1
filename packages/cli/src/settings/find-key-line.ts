/**
 * On which line a key stands in settings that are code, as far as one can tell without running it: keys are looked for one
 * inside the other, up to the first item of a list.
 */
export function findKeyLine(source: string, path: readonly string[]): number | undefined {
  let at = 0
  let line: number | undefined
  for (const key of path) {
    if (/^\d+$/.test(key)) break
    const found = new RegExp(`(?<![\\w$])(['"\`]?)${key.replace(/[^\w]/g, '\\$&')}\\1\\s*:`).exec(source.slice(at))
    if (!found) break
    at += found.index
    line = source.slice(0, at).split('\n').length
  }
  return line
}
