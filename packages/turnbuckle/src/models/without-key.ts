import type { Model } from '../core/base/ports.ts'

/** A text that is shorter is no secret, and stands in other words. */
const shortestKey = 8

/** The model, with the key in no message of its errors: some providers repeat one that they refuse, and messages are shown and kept. */
export function withoutKey(model: Model, key = ''): Model {
  if (key.length < shortestKey) return model
  return {
    ...model,
    async *stream(prompt, options) {
      try {
        yield* model.stream(prompt, options)
      } catch (error) {
        if (error instanceof Error) error.message = error.message.replaceAll(key, '(the key)')
        throw error
      }
    },
  }
}
