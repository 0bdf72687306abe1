import { canonicalJson } from '../core/base/canonical-json.ts'
import { TurnbuckleError } from '../core/base/errors.ts'

/** Compared as JSON, whatever the order of keys. */
export function same(actual: unknown, expected: unknown, what: string): void {
  const [got, wanted] = [canonicalJson(actual), canonicalJson(expected)]
  if (got !== wanted) throw new TurnbuckleError('conformance.failed', `${what}: expected ${wanted}, got ${got}`)
}

/** Rejects with that code, or the store does not conform. */
export async function refuses(code: string, act: () => unknown): Promise<void> {
  let got = 'nothing was thrown'
  try {
    await act()
  } catch (error) {
    got = (error as { code?: string }).code ?? String(error)
  }
  same(got, code, 'the refusal')
}
