import { watcher } from './watch-agent.ts'

/** Tells what a visitor's code prints, besides printing it. */
export function tellPrints(tell: (text: string) => void): void {
  for (const level of ['log', 'info', 'warn', 'error', 'debug', 'table'] as const) {
    const print = console[level].bind(console)
    console[level] = (...given: unknown[]) => {
      print(...given)
      const text = given.map(asText).join(' ')
      // A page that is paused holds up the playground's own hook, which the loop would remark on.
      if (!(text.startsWith('turnbuckle: ') && text.includes(watcher))) tell(text)
    }
  }
}

function asText(value: unknown): string {
  if (typeof value === 'string') return value
  if (value instanceof Error) return value.message
  try {
    return JSON.stringify(value) ?? String(value)
  } catch {
    return String(value)
  }
}
