import type { WireNode } from 'turnbuckle/client'
import { textOf } from '../../conversation/facts/message-parts.ts'
import { pairMessages } from './pair-messages.ts'
import { type Words, wordDiff } from './word-diff.ts'

/** The words of messages of two branches, by message, with a mark on those that the other branch does not have. */
export type ChangedWords = ReadonlyMap<string, readonly Words[]>

/** Compares each question of a branch with its counterpart in the other, and each answer with its own. */
export function changedWords(left: readonly WireNode[], right: readonly WireNode[]): ChangedWords {
  const words = new Map<string, readonly Words[]>()
  for (const role of ['user', 'assistant', 'system'] as const) {
    for (const [a, b] of pairMessages(speeches(left, role), speeches(right, role))) {
      const diff = wordDiff(a?.text ?? '', b?.text ?? '')
      if (a) words.set(a.id, diff.left)
      if (b) words.set(b.id, diff.right)
    }
  }
  return words
}

const speeches = (path: readonly WireNode[], role: WireNode['message']['role']) =>
  path
    .filter(({ message }) => message.role === role)
    .map(({ id, message }) => ({ id, text: textOf(message) }))
    .filter(({ text }) => text)
