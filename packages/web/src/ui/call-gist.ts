import { shellLine } from './call-title.ts'

/** The arguments of a call, or the command of a shell with its prompt, on one line of at most 120 characters. */
export function callGist(args: unknown): string {
  if (typeof args !== 'object' || args === null) return String(args ?? '')
  const line = shellLine(args)
  if (line !== undefined) return line.replace(/\s+/g, ' ').slice(0, 120)
  return Object.values(args)
    .map(value => (typeof value === 'string' ? value : JSON.stringify(value)))
    .join(' ')
    .replace(/\s+/g, ' ')
    .slice(0, 120)
}
