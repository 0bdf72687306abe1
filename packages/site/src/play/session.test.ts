import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { FromWorker, ToWorker } from '../run/protocol.ts'
import { Run } from '../run/run.ts'
import { scenarioOf } from '../scenarios/scenarios.ts'
import { Session } from './session.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** A worker in this thread. `isStuck`: as one whose thread a hook holds, it answers nothing. */
function worker({ isStuck = false } = {}): Worker {
  const target = new EventTarget()
  const post = (data: FromWorker) => target.dispatchEvent(new MessageEvent('message', { data }))
  const run = new Run(told => post({ type: 'told', told }))
  queueMicrotask(() => post({ type: 'ready' }))
  return Object.assign(target, {
    onmessage: null,
    onmessageerror: null,
    onerror: null,
    terminate: vi.fn(),
    postMessage(data: ToWorker) {
      if (isStuck) return
      if (data.type === 'ping') post({ type: 'pong' })
      else run.handle(data)
    },
  }) as unknown as Worker
}

const { files } = scenarioOf('block')
async function played(): Promise<Session> {
  const session = new Session(() => worker())
  session.setPace('instant')
  session.start(files)
  await vi.advanceTimersByTimeAsync(5000)
  return session
}

test('a run is shown to its end', async () => {
  const { moment } = await played()
  expect([moment.phase, moment.position, moment.scene.ended?.status]).toEqual(['over', moment.total, 'completed'])
})

test('going back and forth in time shows the same scene again', async () => {
  const session = await played()
  const { scene, total } = session.moment
  session.seek(Math.floor(total / 2))
  expect(session.moment.scene.ended).toBeUndefined()
  session.seek(0)
  expect(session.moment.scene.entries).toEqual([])
  session.seek(total)
  expect(session.moment.scene).toEqual(scene)
})

test('pausing the page holds the turn; one step lets it come one step further', async () => {
  const session = new Session(() => worker())
  session.start(files)
  await vi.advanceTimersByTimeAsync(600)
  session.pause()
  await vi.advanceTimersByTimeAsync(1000)
  const { total, position } = session.moment
  await vi.advanceTimersByTimeAsync(60_000)
  expect(session.moment.total).toBe(total)
  session.step()
  expect(session.moment.position).toBeGreaterThan(position)
  session.play()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(session.moment.phase).toBe('over')
})

test('a worker that does not answer is ended, and says so', async () => {
  const stuck = worker({ isStuck: true })
  const session = new Session(() => stuck)
  session.start(files)
  await vi.advanceTimersByTimeAsync(5000)
  expect(stuck.terminate).toHaveBeenCalled()
  expect([session.moment.phase, session.moment.scene.problems[0]?.message]).toEqual([
    'ended',
    expect.stringContaining('endless loop'),
  ])
})

test('an interrupt ends the turn, and another message goes on with the conversation', async () => {
  const session = new Session(() => worker())
  session.start(files)
  await vi.advanceTimersByTimeAsync(900)
  session.interrupt()
  await vi.advanceTimersByTimeAsync(60_000)
  expect([session.moment.phase, session.moment.scene.ended?.status]).toEqual(['over', 'interrupted'])
  session.say('And now?')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(session.moment.scene.ended?.status).toBe('completed')
})

test('a run that prints without end is ended, and says so', async () => {
  const prints = `import { middleware } from 'turnbuckle'\nexport default middleware({ name: 'mine', beforeModel() { for (let i = 0; i < 3e4; i++) say(i) } })`
  const chatty = worker()
  vi.stubGlobal('say', (i: number) =>
    chatty.dispatchEvent(
      new MessageEvent('message', { data: { type: 'told', told: { kind: 'printed', text: `${i}` } } }),
    ),
  )
  const session = new Session(() => chatty)
  session.setPace('instant')
  session.start({ ...files, 'hook.ts': prints })
  await vi.advanceTimersByTimeAsync(1000)
  vi.unstubAllGlobals()
  expect(chatty.terminate).toHaveBeenCalled()
  expect(session.moment.scene.problems.at(-1)?.message).toContain('print in a loop')
})
