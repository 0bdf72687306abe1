import type { Locator, Page } from 'playwright-core'
import { type Model, type Tool, tool } from 'turnbuckle'
import { z } from 'zod'

export const box = (page: Page): Locator => page.getByLabel('Message', { exact: true })
export async function say(page: Page, text: string): Promise<void> {
  await box(page).fill(text)
  await box(page).press('Enter')
}
export const replies = (page: Page): Locator => page.locator('.message.assistant')
/** The turn has ended: one can send again. */
export const done = (page: Page): Promise<void> => page.getByRole('button', { name: 'Send', exact: true }).waitFor()

export const add: Tool = tool({
  name: 'add',
  description: 'Adds two numbers.',
  input: z.object({ a: z.number(), b: z.number() }),
  run: ({ a, b }: { a: number; b: number }) => a + b,
})
export const callsAdd = { text: 'Let me see.', calls: [{ name: 'add', args: { a: 2, b: 3 } }] }

export interface Stepped {
  readonly model: Model
  say(text: string): void
  end(): void
}

/** Says what the test lets it say. */
export function steppedModel(): Stepped {
  const said: (string | undefined)[] = []
  let wake: () => void = () => {}
  const put = (text: string | undefined) => {
    said.push(text)
    wake()
  }
  return {
    say: put,
    end: () => put(undefined),
    model: {
      id: 'stepped',
      async *stream(_, { signal }) {
        for (;;) {
          while (!said.length) {
            await new Promise<void>((resolve, reject) => {
              wake = resolve
              signal.addEventListener('abort', () => reject(signal.reason))
            })
          }
          const text = said.shift()
          if (text === undefined) return
          yield { type: 'text', text }
        }
      },
    },
  }
}
