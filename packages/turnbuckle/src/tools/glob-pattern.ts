import { TurnbuckleError } from '../core/base/errors.ts'

/** Tells which names are like a glob. */
export interface GlobPattern {
  test(name: string): boolean
}

/** Characters of a glob that a model may ask for: each is looked at for each character of each name. */
const longest = 500

/** The glob of a tool's call. Throws `glob.long`. */
export function askedGlob(glob: string): GlobPattern {
  if (glob.length > longest) throw new TurnbuckleError('glob.long', `No glob has more than ${longest} characters here.`)
  return globPattern(glob)
}

/** Where names are in a glob, and where each character leads from there, as far as a name had it. */
interface Reading {
  readonly places: readonly number[]
  readonly isEnd: boolean
  readonly next: Map<number, Reading>
}

/** Readings of a glob that are known at a time. Plain globs have a few. */
const mostKnown = 1000

/**
 * `src/*.ts`, `*.{ts,js}`, `**` for any number of folders. Without a slash it names a file in any folder. Every place in the glob that the
 * characters so far may lead to is kept at once, so that no glob takes long: a regular expression would go back for each star.
 */
export function globPattern(glob: string): GlobPattern {
  const places = new Places()
  places.read(glob.includes('/') ? glob : `**/${glob}`)
  const known = new Map<string, Reading>()
  const readingAt = (at: readonly number[]): Reading => {
    const key = at.join()
    const reading = known.get(key) ?? { places: at, isEnd: places.isEnd(at), next: new Map() }
    known.set(key, reading)
    return reading
  }
  const goOn = (reading: Reading, code: number): Reading => {
    const next = readingAt(places.after(reading.places, code))
    reading.next.set(code, next)
    return next
  }
  let first = readingAt(places.first())
  const test = (name: string): boolean => {
    let reading = first
    for (let i = 0; i < name.length && reading.places.length; i++) {
      const code = name.charCodeAt(i)
      reading = reading.next.get(code) ?? goOn(reading, code)
    }
    if (known.size > mostKnown) {
      known.clear()
      first = readingAt(places.first())
    }
    return reading.isEnd
  }
  return { test }
}

const slash = '/'.charCodeAt(0)
const piece = /\{([^{}]*)\}|\*\*\/|\*\*|\*|\?|[\s\S]/g
/** Instead of the code of a character. */
const [none, inName, anything] = [-1, -2, -3]

const takes = (wanted: number | undefined, code: number): boolean =>
  wanted === code || (wanted === inName && code !== slash) || wanted === anything

/** Places in a glob while a name is read, by number; 0 is the first. Contract: every way but a repetition leads to a place of a higher number. */
class Places {
  /** By place: what leads to the next one. */
  readonly #next: number[] = [none]
  /** By place: what may come there any number of times. */
  readonly #repeated: number[] = [none]
  /** By place: others that are reached without a character. */
  readonly #besides: number[][] = [[]]

  get #last(): number {
    return this.#next.length - 1
  }
  #add(repeated: number): number {
    this.#repeated.push(repeated)
    this.#besides.push([])
    return this.#next.push(none) - 1
  }
  #lead(from: number, to: number): void {
    this.#besides[from]?.push(to)
  }

  /** Reads a glob from the last place on. */
  read(glob: string): void {
    let before = ''
    for (const [text, names] of glob.matchAll(piece)) {
      if (names !== undefined) this.#either(names.split(','))
      // Any number of folders, twice, is any number of folders.
      else if (text !== '**/' || before !== text) this.#piece(text)
      before = text
    }
  }
  #either(names: readonly string[]): void {
    const from = this.#last
    const ends = names.map(name => {
      this.#lead(from, this.#add(none))
      this.read(name)
      return this.#last
    })
    const end = this.#add(none)
    for (const one of ends) this.#lead(one, end)
  }
  #piece(text: string): void {
    const from = this.#last
    if (text === '*') this.#lead(from, this.#add(inName))
    else if (text === '**') this.#lead(from, this.#add(anything))
    else if (text === '**/') {
      // No folder, or anything up to a slash.
      this.#lead(from, this.#add(anything))
      this.#step(slash)
      this.#lead(from, this.#last)
    } else this.#step(text === '?' ? inName : text.charCodeAt(0))
  }
  #step(code: number): void {
    this.#next[this.#last] = code
    this.#add(none)
  }

  /** Those that a name is at before its first character. */
  first(): readonly number[] {
    return this.#withBesides(new Uint8Array(this.#next.length).fill(1, 0, 1))
  }
  /** Those that a character leads to, lowest first. */
  after(places: readonly number[], code: number): readonly number[] {
    const marks = new Uint8Array(this.#next.length)
    for (const place of places) {
      if (takes(this.#repeated[place], code)) marks[place] = 1
      if (takes(this.#next[place], code)) marks[place + 1] = 1
    }
    return this.#withBesides(marks)
  }
  #withBesides(marks: Uint8Array): readonly number[] {
    const marked: number[] = []
    for (let place = marks.indexOf(1); place >= 0; place = marks.indexOf(1, place + 1)) {
      marked.push(place)
      for (const beside of this.#besides[place] ?? []) marks[beside] = 1
    }
    return marked
  }
  isEnd(places: readonly number[]): boolean {
    return places.at(-1) === this.#last
  }
}
