interface Surroundings {
  readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> }
}

/** False in production (`NODE_ENV`), where hooks' failures are events alone. */
export const takesNotes = (): boolean => (globalThis as Surroundings).process?.env?.NODE_ENV !== 'production'

const said = new WeakMap<object, Set<string>>()

/** Tells a developer on stderr what an event alone would hide: once for each middleware (`about`) and hook (`key`), never in production. */
export function noteOnce(about: object, key: string, text: () => string): void {
  if (!takesNotes()) return
  const keys = said.get(about) ?? new Set()
  if (keys.has(key)) return
  said.set(about, keys.add(key))
  console.error(`turnbuckle: ${text()}`)
}
