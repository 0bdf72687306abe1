import type { Definition } from './pins.ts'
import type { ServerLink } from './server-link.ts'

interface Named {
  readonly link: ServerLink
  readonly definition: Definition
  readonly name: string
}

const longest = 64

/** Names that every provider takes. Two that come out the same are told apart by a number. */
export function nameTools(links: readonly ServerLink[], prefix: boolean): Named[] {
  const all = links.flatMap(link => link.definitions.map(definition => ({ link, definition })))
  const taken = new Set<string>()
  return all.map(({ link, definition }) => {
    const alone = all.filter(other => other.definition.name === definition.name).length === 1
    const wanted = prefix || !alone ? `${link.name}__${definition.name}` : definition.name
    const clean = wanted.replace(/[^\w-]/g, '_')
    let name = clean.slice(0, longest)
    for (let i = 2; taken.has(name); i++) name = `${clean.slice(0, longest - 4)}_${i}`
    taken.add(name)
    return { link, definition, name }
  })
}
