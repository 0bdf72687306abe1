/**
 * Signs of a command that its shell puts something else in the place of.
 *
 * | sign | becomes |
 * |---|---|
 * | `?` | `one` character |
 * | `*`, `~` | a `run` of characters; the word may become several |
 * | `$…`, a backtick, `{a,b}`, `[a-z]` | `anything`, up to the end |
 */
type Sign = { readonly is: 'character'; readonly text: string } | { readonly is: 'one' | 'run' | 'anything' }

const kinds: Readonly<Record<string, 'one' | 'run'>> = { '?': 'one', '*': 'run', '~': 'run' }

function signsOf(command: string): readonly Sign[] {
  const open = openAt(command)
  const signs = command.slice(0, open).split('').map(signOf)
  return open < command.length ? [...signs, { is: 'anything' }] : signs
}
function signOf(text: string): Sign {
  const is = kinds[text]
  return is ? { is } : { is: 'character', text }
}

/** The place from which on a command may become anything. Brackets, braces and quotes from there on are not parsed. */
function openAt(command: string): number {
  const [bracket, brace] = [command.indexOf('['), command.indexOf('{')]
  const places = [
    command.search(/[$`]/),
    command.lastIndexOf(']') > bracket ? bracket : -1,
    /^\{[\s\S]*(,|\.\.)/.test(command.slice(brace)) ? brace : -1,
  ]
  return Math.min(command.length, ...places.filter(place => place >= 0))
}

/**
 * True where a shell can make of a command one that a pattern means: `git pus?` becomes `git push` where there is such a
 * file. `pattern`: its characters, with nothing for each part that may be anything.
 */
export function mayBecome(command: string, pattern: readonly (string | undefined)[]): boolean {
  const line = signsOf(command)
  if (line.every(({ is }) => is === 'character')) return false
  const starts = wordStarts(line)
  let places = passed(line, new Set([0]))
  for (const wanted of pattern) {
    if (!places.size) return false
    if (wanted === undefined) places = onward(places, line.length)
    else places = passed(line, next(line, starts, places, wanted))
  }
  return places.has(line.length)
}

/** Every place from the first of these on. */
function onward(places: ReadonlySet<number>, last: number): Set<number> {
  let first = last
  for (const place of places) first = Math.min(first, place)
  return new Set(Array.from({ length: last - first + 1 }, (_, i) => first + i))
}

/** Adds the places behind signs that may become no character at all. */
function passed(line: readonly Sign[], places: ReadonlySet<number>): Set<number> {
  const all = new Set(places)
  for (const place of all) {
    const is = line[place]?.is
    if (is === 'run' || is === 'anything') all.add(place + 1)
  }
  return all
}

/** The places in the line that can be reached by one more character. */
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
