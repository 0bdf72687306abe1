import type { Schema } from '../core/base/ports.ts'

/** A value as its schema parses it, or what is wrong with it, in words. */
export type Fit<Output> = { readonly value: Output } | { readonly problem: string }

export async function fit<Output>(schema: Schema<Output>, given: unknown): Promise<Fit<Output>> {
  const checked = await schema['~standard'].validate(given)
  if (!checked.issues) return { value: checked.value }
  return { problem: checked.issues.map(({ message, path }) => `${placeOf(path)}${message}`).join('; ') }
}

/** `crew.0.name: ` */
function placeOf(path: readonly unknown[] | undefined): string {
  const keys = path?.map(part => (typeof part === 'object' && part !== null && 'key' in part ? part.key : part))
  return keys?.length ? `${keys.join('.')}: ` : ''
}
