import type { WireNode } from 'turnbuckle/client'
import { textOf } from '../../conversation/facts/message-parts.ts'
import { type Words, wordDiff } from './word-diff.ts'

/** The words of messages of two branches, by message, with a mark on those that the other branch does not have. */
export type ChangedWords = ReadonlyMap<string, readonly Words[]>

/** Compares the first question of a branch with the first of the other, its first answer with the first, and so on. */
export function changedWords(left: readonly WireNode[], right: readonly WireNode[]): ChangedWords {
  const words = new Map<string, readonly Words[]>()
  for (const role of ['user', 'assistant', 'system'] as const) {
    const [a, b] = [speeches(left, role), speeches(right, role)]
    for (let i = 0; i < Math.max(a.length, b.length); i++) {
      const diff = wordDiff(a[i]?.text ?? '', b[i]?.text ?? '')
      words.set(a[i]?.id ?? '', diff.left)
      words.set(b[i]?.id ?? '', diff.right)
    }
  }
  return words
}

const speeches = (path: readonly WireNode[], role: WireNode['message']['role']) =>
  path
    .filter(({ message }) => message.role === role)
    .map(({ id, message }) => ({ id, text: textOf(message) }))
    .filter(({ text }) => text)
