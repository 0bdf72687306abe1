import { splitFences } from './outside-code.ts'

const definition = /^ {0,3}\[([^\]^\n][^\]\n]{0,200})\]:[ \t]*\S[^\n]*$/gm

/** The definitions of reference links in a message's Markdown (`[label]: address`), by their labels in lower case. */
export function linkDefinitions(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  if (!text.includes(']:')) return found
  for (const run of splitFences(text))
    if (!run.code)
      for (const [line, label = ''] of run.text.matchAll(definition))
        if (!found.has(label.toLowerCase())) found.set(label.toLowerCase(), line.trim())
  return found
}

/** A section of a message together with the definitions that its reference links need. */
export function withDefinitions(section: string, definitions: ReadonlyMap<string, string>): string {
  if (!definitions.size || !section.includes('[')) return section
  const lower = section.toLowerCase()
  const needed = [...definitions].filter(([label]) => lower.includes(`[${label}]`)).map(([, line]) => line)
  return needed.length ? `${section}\n\n${needed.join('\n')}` : section
}
