import type { Locator, Page } from 'playwright-core'
import { type Chunk, type Model, type Tool, tool } from 'turnbuckle'
import { expect } from 'vitest'
import { z } from 'zod'
import { gate } from '../../server/test/serve.ts'

/** Polled until it holds. The limit is for what never does. */
export const eventually = <Value>(look: () => Value): ReturnType<typeof expect.poll<Value>> =>
  expect.poll(look, { timeout: 60_000 })

export const box = (page: Page): Locator => page.getByLabel('Message', { exact: true })
export async function say(page: Page, text: string): Promise<void> {
  await box(page).fill(text)
  await box(page).press('Enter')
}
/** Turns that the page asks the server for are held until the test lets them arrive. */
export async function holdTurns(page: Page): Promise<{ readonly asked: Promise<void>; arrive(): void }> {
  const [asked, held] = [gate(), gate()]
  await page.route('**/turns', async route => {
    asked.open()
    await held.opened
    await route.continue()
  })
  return { asked: asked.opened, arrive: held.open }
}
export const replies = (page: Page): Locator => page.locator('.message.assistant')
/** Nothing is on its way, and the turn has ended: one can send again. */
export const done = (page: Page): Promise<void> =>
  page.locator('.composer[aria-busy=false]').getByRole('button', { name: 'Send', exact: true }).waitFor()

export const add: Tool = tool({
  name: 'add',
  description: 'Adds two numbers.',
  input: z.object({ a: z.number(), b: z.number() }),
  run: ({ a, b }: { a: number; b: number }) => a + b,
})
export const callsAdd = { text: 'Let me see.', calls: [{ name: 'add', args: { a: 2, b: 3 } }] }

export interface Stepped {
  readonly model: Model
  say(said: string | Chunk): void
  end(): void
}

/** Says what the test lets it say. */
export function steppedModel(): Stepped {
  const said: (string | Chunk | undefined)[] = []
  let wake: () => void = () => {}
  const put = (next: string | Chunk | undefined) => {
    said.push(next)
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
          const next = said.shift()
          if (next === undefined) return
          yield typeof next === 'string' ? { type: 'text', text: next } : next
        }
      },
    },
  }
}

const seesWork = `
  window.commits = 0
  window.__REACT_DEVTOOLS_GLOBAL_HOOK__ = {
    supportsFiber: true,
    checkDCE() {},
    inject: () => 1,
    onCommitFiberRoot() { window.commits++ },
    onCommitFiberUnmount() {},
    onPostCommitFiberRoot() {},
  }`

export interface Work {
  /** From now on frames come only when the test gives one. */
  holdFrames(): Promise<void>
  /** Resolves when the page has got a frame of the socket with these words in it. */
  hears(words: string): Promise<void>
  /** Gives one frame, lets React do all it then has to, and tells how often React has changed the page since the last. */
  frame(): Promise<number>
}

/** Counts what a page does, instead of timing it. The page is loaded anew for it. */
export async function work(page: Page): Promise<Work> {
  await page.addInitScript(seesWork)
  await page.reload()
  await box(page).waitFor()
  return {
    holdFrames: () =>
      page.evaluate(() => {
        const held: FrameRequestCallback[] = []
        let heard = ''
        const all = window as unknown as { sockets: WebSocket[] }
        for (const socket of all.sockets)
          socket.addEventListener('message', ({ data }) => {
            heard += data
          })
        Object.assign(window, { held, heard: () => heard })
        window.requestAnimationFrame = callback => held.push(callback)
      }),
    async hears(words) {
      await page.waitForFunction(wanted => (window as unknown as { heard(): string }).heard().includes(wanted), words, {
        polling: 20,
      })
    },
    frame: () =>
      page.evaluate(async () => {
        const all = window as unknown as { held: FrameRequestCallback[]; commits: number }
        for (const callback of all.held.splice(0)) callback(performance.now())
        // Some of React's work is a task of its own: wait until a few have brought none.
        for (let quiet = 0, known = all.commits; quiet < 20; quiet++) {
          await new Promise(resolve => setTimeout(resolve))
          if (all.commits !== known) [quiet, known] = [0, all.commits]
        }
        const { commits } = all
        all.commits = 0
        return commits
      }),
  }
}
