import { createAgent, textOf } from 'turnbuckle'
import { scriptedModel } from 'turnbuckle/testing'
import { describe, expect, test } from 'vitest'
import { type CriticsOptions, critics, type WeightedCritic } from './critics.ts'
import type { Verdict } from './verdict.ts'

const says = (decision: 'accept' | 'revise' | 'reject', weight?: number): WeightedCritic => ({
  judge: (): Verdict => ({ decision, advice: decision }),
  ...(weight === undefined ? {} : { weight }),
})
const throws: WeightedCritic = { judge: () => Promise.reject(new Error('down')) }
const [yes, no, never] = [says('accept'), says('revise'), says('reject')]

describe('critics', () => {
  test.each<{ name: string; list: WeightedCritic[]; options?: CriticsOptions; is: string }>([
    { name: 'all accept', list: [yes, yes], is: 'accept' },
    { name: 'more than half accept', list: [yes, yes, no], is: 'accept' },
    { name: 'half is no majority', list: [yes, no], is: 'revise' },
    { name: 'all are asked for', list: [yes, yes, no], options: { consensus: 'all' }, is: 'revise' },
    { name: 'a share is asked for', list: [yes, no], options: { consensus: 0.5 }, is: 'accept' },
    { name: 'weights count', list: [says('accept', 3), no, no], is: 'accept' },
    { name: 'most reject', list: [never, never, yes], is: 'reject' },
    { name: 'one rejection among others is a revision', list: [never, no, yes], is: 'revise' },
    { name: 'one that throws votes against', list: [yes, throws], is: 'revise' },
    { name: 'enough accept although one throws', list: [yes, yes, throws], is: 'accept' },
  ])('$name', async ({ list, options, is }) => {
    const model = scriptedModel(['one', 'two'])
    const turn = createAgent({ model, use: [critics(list, { rounds: 1, ...options })] }).send('why?')
    const judged: unknown[] = []
    for await (const event of turn) if ((event.type as string) === 'critic.judged') judged.push(event)
    expect(judged).toMatchObject([{ decision: is }])
    expect((await turn).text).toBe(is === 'accept' ? 'one' : 'two')
  })

  test('the model is told what everyone says', async () => {
    const model = scriptedModel(['one', 'two'])
    const advise = (advice: string): WeightedCritic => ({ judge: () => ({ accepted: false, advice }) })
    await createAgent({ model, use: [critics([advise('shorter'), advise('kinder')], { rounds: 1 })] }).send('why?')
    expect(textOf(model.prompts[1]?.messages.at(-1))).toContain('- shorter\n- kinder')
  })

  test('when nobody can judge, the turn fails', async () => {
    const use = [critics([throws, throws])]
    const result = await createAgent({ model: scriptedModel(['one']), use }).send('why?').settled
    expect(result).toMatchObject({ status: 'failed', by: 'critics' })
  })
})
