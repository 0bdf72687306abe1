import { expect, test } from 'vitest'
import type { Highlight } from './paint-code.ts'
import type { PaintAnswer } from './paint-messages.ts'
import { createPaintService } from './paint-service.ts'

/** A service whose highlighter notes what it has coloured. */
function service() {
  const seen: string[] = []
  const answers: PaintAnswer[] = []
  const highlight: Highlight = (text, before) => {
    seen.push(text)
    return { lines: text.split('\n').map(line => [{ text: line }]), after: Number(before ?? 0) + 1 }
  }
  const loaded: string[] = []
  const load = async (grammar: string) => {
    loaded.push(grammar)
    return highlight
  }
  return { paint: createPaintService(load, answer => answers.push(answer)), seen, answers, loaded }
}

test('a block is coloured with its grammar, and the answer says from which chunk on', async () => {
  const { paint, answers, loaded } = service()
  await paint({ block: 1, grammar: 'ts', from: 0, chunks: ['a', 'b'] })
  expect(loaded).toEqual(['ts'])
  expect(answers).toEqual([
    {
      block: 1,
      from: 0,
      painted: [
        { text: 'a', lines: [[{ text: 'a' }]] },
        { text: 'b', lines: [[{ text: 'b' }]] },
      ],
    },
  ])
})

test('of a block that grows only what came is coloured; one that is gone begins anew', async () => {
  const { paint, seen, answers } = service()
  await paint({ block: 1, grammar: 'ts', from: 0, chunks: ['a'] })
  await paint({ block: 1, grammar: 'ts', from: 1, chunks: ['b'] })
  expect([seen, answers.at(-1)?.from]).toEqual([['a', 'b'], 1])
  await paint({ block: 1, grammar: 'ts', from: 0 } as never)
  await paint({ block: 1, grammar: 'ts', from: 0, chunks: ['a'] })
  expect(seen).toEqual(['a', 'b', 'a'])
})
