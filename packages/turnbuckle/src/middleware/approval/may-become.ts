/**
 * Signs of a command that its shell puts something else in the place of.
 *
 * | sign | becomes |
 * |---|---|
 * | `?`, `[a-z]` | `one` character |
 * | `*`, `~` | a `run` of characters; the word may become several |
 * | `$…`, a backtick, `{a,b}` | `anything`, up to the end |
 */
type Sign = { readonly is: 'character'; readonly text: string } | { readonly is: 'one' | 'run' | 'anything' }

const signs = /\[[^\] ]+\]|[*?~]|[$`][\s\S]*|\{[^ ]*(?:,|\.\.)[\s\S]*|[\s\S]/g
const kinds: Readonly<Record<string, 'one' | 'run' | 'anything'>> = {
  '?': 'one',
  '[': 'one',
  '*': 'run',
  '~': 'run',
  $: 'anything',
  '`': 'anything',
  '{': 'anything',
}

function signOf(text: string): Sign {
  const is = text.length > 1 || '?*~$`'.includes(text) ? kinds[text.charAt(0)] : undefined
  return is ? { is } : { is: 'character', text }
}

/**
 * Whether a shell can make of a command one that a pattern means: `git pus?` becomes `git push` where there is such a
 * file. `pattern`: its characters, with nothing for each part that may be anything.
 */
export function mayBecome(command: string, pattern: readonly (string | undefined)[]): boolean {
  if (!/[*?~[$`{]/.test(command)) return false
  const line = Array.from(command.matchAll(signs), ([text]) => signOf(text))
  if (line.every(({ is }) => is === 'character')) return false
  const starts = wordStarts(line)
  let places = passed(line, new Set([0]))
  for (const wanted of pattern) {
    if (!places.size) return false
    if (wanted === undefined) places = from(Math.min(...places), line.length)
    else places = passed(line, next(line, starts, places, wanted))
  }
  return places.has(line.length)
}

const from = (first: number, last: number): Set<number> =>
  new Set(Array.from({ length: last - first + 1 }, (_, i) => first + i))

/** Also the places behind what may be nothing. */
function passed(line: readonly Sign[], places: ReadonlySet<number>): Set<number> {
  const all = new Set(places)
  for (const place of all) {
    const is = line[place]?.is
    if (is === 'run' || is === 'anything') all.add(place + 1)
  }
  return all
}

/** Where the line is after one more character. */
function next(line: readonly Sign[], starts: readonly number[], places: ReadonlySet<number>, wanted: string) {
  const after = new Set<number>()
  for (const place of places) {
    const sign = line[place]
    if (sign?.is === 'character' && sign.text === wanted) after.add(place + 1)
    if (sign?.is === 'anything' || (sign?.is === 'run' && wanted !== ' ')) after.add(place)
    if (sign?.is === 'one' && wanted !== ' ') after.add(place + 1)
    // A word with such a sign becomes as many words as there are files like it.
    const start = starts[place]
    if (wanted === ' ' && start !== undefined) after.add(start)
  }
  return after
}

/** By the place where a word ends that may become several: where it begins. */
function wordStarts(line: readonly Sign[]): number[] {
  const starts: number[] = []
  let start = 0
  let several = false
  for (let i = 0; i <= line.length; i++) {
    const sign = line[i]
    if (sign && !(sign.is === 'character' && sign.text === ' ')) {
      several ||= sign.is !== 'character'
      continue
    }
    if (several) starts[i] = start
    start = i + 1
    several = false
  }
  return starts
}
