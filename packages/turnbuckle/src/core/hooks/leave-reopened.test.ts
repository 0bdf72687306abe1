import { createAgent, middleware, tool } from 'turnbuckle'
import { createStore, memoryStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { expect, test } from 'vitest'
import { mortal } from '../../../test/durability/mortal-driver.ts'

interface Seen {
  readonly status: string
  readonly entered: boolean
  readonly resumed: boolean
  readonly signal: AbortSignal
}

const stages = ['Turn', 'Input', 'Step', 'Model', 'Detect', 'Append', 'Tools', 'Tool', 'Decide'] as const

/** Notes every before and after hook; `hold`: in the second process a wrap of the turn waits for an interrupt. */
function watching(log: string[], hold: boolean) {
  const hooks = stages.flatMap(stage => [
    [`before${stage}`, () => void log.push(`before${stage}`)] as const,
    [
      `after${stage}`,
      ({ status, entered, resumed }: Seen) =>
        void log.push(`after${stage} ${status}${entered ? '' : ', not entered'}${resumed ? ', resumed' : ''}`),
    ] as const,
  ])
  const wrapTurn = ({ resumed, signal }: Seen, next: () => unknown) =>
    hold && resumed ? new Promise(resolve => signal.addEventListener('abort', resolve)).then(next) : next()
  const given: object = { name: 'watching', ...Object.fromEntries(hooks), wrapTurn }
  return middleware(given as Parameters<typeof middleware>[0])
}

type Moment = 'tool' | 'model'

/** A process that dies in the middle of a call or a reply, and another that goes on and is interrupted. */
async function interrupted(moment: Moment, when: 'at once' | 'in a wrap of the turn') {
  const { driver } = memoryStore()
  const life = mortal(driver)
  let reached = () => {}
  const there = new Promise<void>(resolve => {
    reached = resolve
  })
  const stuck = () => {
    reached()
    return new Promise<never>(() => {})
  }
  const calls = { calls: [{ name: 'work', args: {} }] }
  const process = (of: typeof driver, log: string[], hold: boolean, stays: boolean) =>
    createAgent({
      model: scriptedModel([moment === 'model' && stays ? stuck : calls, 'Done.']),
      tools: [tool({ name: 'work', run: () => (stays ? stuck() : 'ok') })],
      use: [watching(log, hold)],
      store: createStore(of),
    })
  const [before, after]: [string[], string[]] = [[], []]
  process(life.driver, before, false, true).conversation('c').send('Go.')
  await there
  await life.end('c')
  const turn = process(driver, after, when !== 'at once', false).resume('c')
  if (when !== 'at once') for (let i = 0; i < 20; i++) await new Promise(resolve => setImmediate(resolve))
  turn?.interrupt()
  const result = await turn?.settled
  for (let i = 0; i < 20; i++) await new Promise(resolve => setImmediate(resolve))
  return { before, after, result, events: await createStore(driver).events('c') }
}

const left = (...names: string[]) => names.map(name => `after${name} interrupted, resumed`)

test.each([
  { moment: 'tool', when: 'at once', after: left('Tool', 'Tools', 'Step', 'Turn') },
  { moment: 'model', when: 'at once', after: left('Model', 'Step', 'Turn') },
  { moment: 'tool', when: 'in a wrap of the turn', after: left('Tool', 'Tools', 'Step', 'Turn') },
  { moment: 'model', when: 'in a wrap of the turn', after: left('Model', 'Step', 'Turn') },
] as const)(
  'a turn left open in its $moment, resumed and interrupted $when, still leaves every stage that was entered',
  async ({ moment, when, after }) => {
    const seen = await interrupted(moment, when)
    expect(seen.result).toMatchObject({ status: 'interrupted' })
    expect(seen.after).toEqual(after)
    // Every before hook has its after hook, in the one process or the other.
    const count = (log: readonly string[], point: string) => log.filter(line => line.startsWith(point)).length
    expect(count([...seen.before, ...seen.after], 'after')).toBe(count(seen.before, 'before'))
    expect(seen.events.at(-1)).toMatchObject({ type: 'turn.interrupted' })
  },
)
