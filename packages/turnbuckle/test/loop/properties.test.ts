import fc from 'fast-check'
import { checkHistory } from 'turnbuckle/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anyProgram } from './random-program.ts'
import { runProgram } from './run-program.ts'

// FC_RUNS=20000 FC_SEED=1 npx vitest run properties: a longer search.
const numRuns = Number(process.env.FC_RUNS ?? 400)
const seed = Number(process.env.FC_SEED ?? 20261115)

const rejections: unknown[] = []
const reject = (error: unknown) => rejections.push(error)
beforeAll(() => void process.on('unhandledRejection', reject))
afterAll(() => void process.off('unhandledRejection', reject))

const terminal = /^turn\.(completed|stopped|failed|interrupted)$/

test('whatever hooks, tools and people do, the invariants hold', { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(anyProgram, async program => {
      const trace = await runProgram(program)
      // I2, I4: every call has one result, in order; what the model is sent is always valid.
      for (const { messages } of trace.prompts) expect(checkHistory(messages)).toEqual([])
      expect(checkHistory(trace.messages)).toEqual([])
      expect(JSON.parse(JSON.stringify(trace.messages))).toEqual(trace.messages)
      for (const branch of trace.branches) expect(checkHistory(branch)).toEqual([])
      // I5: one terminal event, the last.
      expect(trace.result).toBeDefined()
      expect(trace.events.filter(({ type }) => terminal.test(type))).toHaveLength(1)
      expect(trace.events.at(-1)?.type).toBe(`turn.${trace.result?.status}`)
      // Accepted means applied: in the next turn, where an interrupt came before hooks could look at it.
      const count = (type: string) => trace.events.filter(event => event.type === type).length
      const looksFirst = program.owners.some(({ hooks }) =>
        hooks.some(({ hook }) => /^(before|wrap)Append$/.test(hook)),
      )
      if (trace.result?.status !== 'interrupted' || !looksFirst)
        expect(count('interjection.applied')).toBe(count('interjection.queued'))
      // I6: nothing is left behind, and the conversation goes on.
      expect(trace.timers).toBe(0)
      expect(trace.listeners).toBe(0)
      expect(rejections).toEqual([])
      // I7: numbers without a gap. A sub-agent's events have theirs in its own conversation.
      const numbered = trace.log.filter(({ type }) => type !== 'agent.event')
      expect(numbered.map(({ seq }, i) => (seq ?? 0) - i)).toEqual(numbered.map(() => numbered[0]?.seq))
    }),
    { numRuns, seed },
  )
})
