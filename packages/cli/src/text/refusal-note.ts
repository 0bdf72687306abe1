import { oneLine } from './one-line.ts'

/** The reason of a no that was given in nobody's presence, for who reads the output: `[Nobody is here to ask.]`. */
export function refusalNote(answer: unknown): string {
  const { decision, reason } = (answer ?? {}) as { readonly decision?: unknown; readonly reason?: unknown }
  return decision === 'deny' && typeof reason === 'string' ? `[${oneLine(reason, 300)}]` : ''
}
