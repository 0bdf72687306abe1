import { type Chunk, createAgent, type Directive, middleware, type ShownChunk, skip, stop, tool } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { resultsOf } from '../../../test/support/results-of.ts'

/** A hook whose name is worked out. */
type Definition = Parameters<typeof middleware>[0]
const echo = tool({ name: 'echo', run: args => args })
/** An `onChunk` that acts on the word END. */
const ends = (act: () => unknown) => (chunk: ShownChunk) =>
  (chunk.type === 'text' && chunk.text.includes('END') ? act() : undefined) as Directive<'stop'> | undefined
const broken = () => {
  throw new Error('broken')
}

describe('a reply that is not whole', () => {
  const length = { type: 'finish', reason: 'length' } as const
  const call = (id: string, args: unknown) => ({ type: 'call', id, name: 'echo', args }) as const
  const said = { type: 'text', text: 'Let me' } as const
  const cutAfter = async (chunks: readonly Chunk[], hooks: object = {}) => {
    const model = scriptedModel([{ chunks }, 'Done'])
    const odd = middleware({ name: 'odd', ...hooks } as Definition)
    return createAgent({ model, tools: [echo], use: [odd] }).send('Go')
  }

  test.each<{ what: string; chunks: readonly Chunk[]; statuses: string[] }>([
    { what: 'inside the JSON of a call', chunks: [said, call('c1', '{"n":'), length], statuses: ['error'] },
    { what: 'by its length, after text', chunks: [said, length], statuses: [] },
    {
      what: 'by its length, with a call at its end',
      chunks: [said, call('c1', '{"n":1}'), length],
      statuses: ['error'],
    },
    {
      what: 'by its length, in a second call',
      chunks: [call('c1', {}), call('c2', {}), length],
      statuses: ['ok', 'error'],
    },
    { what: 'by its length, after a call', chunks: [call('c1', {}), said, length], statuses: ['ok'] },
  ])('$what: it is kept and marked, and what may have been cut is not run', async ({ chunks, statuses }) => {
    const { messages, status } = await cutAfter(chunks)
    expect(status).toBe('completed')
    expect(messages[1]).toMatchObject({ role: 'assistant', interrupted: true })
    expect(resultsOf(messages).map(result => result.status)).toEqual(statuses)
    for (const { status, value } of resultsOf(messages)) if (status === 'error') expect(value).toMatch(/cut off.*again/)
  })

  test('calls that a hook gives instead are run', async () => {
    const beforeDetect = (ctx: { step: number }) =>
      ctx.step ? undefined : skip([{ id: 'c1', name: 'echo', args: { n: 2 } }])
    const { messages } = await cutAfter([call('c1', {}), length], { beforeDetect })
    expect(resultsOf(messages)).toMatchObject([{ status: 'ok', value: { n: 2 } }])
  })

  test.each<{ what: string; hooks: object; status: string }>([
    { what: 'stop', hooks: { onChunk: ends(() => stop('enough')) }, status: 'stopped' },
    { what: 'an asynchronous stop', hooks: { onChunk: ends(async () => stop('enough')) }, status: 'stopped' },
    { what: 'a guard that fails', hooks: { guard: true, onChunk: ends(broken) }, status: 'failed' },
  ])('ended by $what in onChunk: what was shown is kept and marked, nothing more is shown', async given => {
    const chunks = ['Let', ' me', ' END', ' see'].map(text => ({ type: 'text', text }) as const)
    for (const script of [chunks, [chunks]]) {
      const model = scriptedModel([{ chunks: script }])
      const odd = middleware({ name: 'odd', ...given.hooks } as Definition)
      const behind = middleware({ name: 'behind', onChunk: async chunk => chunk })
      const turn = createAgent({ model, use: [odd, behind] }).send('Go')
      let shown = ''
      for await (const event of turn) if (event.type === 'message.delta') shown += event.text
      const { status, messages, text } = await turn.settled
      expect({ status, text, shown }).toEqual({ status: given.status, text: 'Let me', shown: 'Let me' })
      expect(messages.at(-1)).toMatchObject({ role: 'assistant', interrupted: true })
    }
  })

  test('a stop in onChunk does not wait for a model that says nothing more', async () => {
    const deaf = {
      id: 'deaf',
      async *stream() {
        yield { type: 'text', text: 'END' } as const
        await new Promise(() => {})
      },
    }
    const odd = middleware({ name: 'odd', onChunk: ends(() => stop('enough')) })
    expect(await createAgent({ model: deaf, use: [odd] }).send('Go')).toMatchObject({ status: 'stopped', text: '' })
  })
})
