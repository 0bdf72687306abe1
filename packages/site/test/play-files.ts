import type { Files, Told } from '../src/run/protocol.ts'
import { Run } from '../src/run/run.ts'

type Answer = (kind: string) => unknown

/** Runs files as the page would that shows everything at once; gives all that was told. */
export async function playFiles(files: Files, answer: Answer = () => ({ decision: 'allow' })): Promise<Told[]> {
  const all: Told[] = []
  await new Promise<void>(resolve => {
    const run = new Run(told => {
      all.push(told)
      queueMicrotask(() => run.handle({ type: 'shown', count: all.length }))
      if (told.kind === 'event' && told.event.type === 'request.opened') {
        const { requestId, kind } = told.event
        queueMicrotask(() => run.handle({ type: 'answer', requestId, answer: answer(kind) }))
      }
      if (told.kind === 'ended' && !told.more) resolve()
    })
    run.handle({ type: 'start', files })
  })
  return all
}
