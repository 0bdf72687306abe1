import type { WireNode } from 'turnbuckle/client'
import { textOf } from '../../conversation/facts/message-parts.ts'
import { type Pair, pairMessages } from './pair-messages.ts'

interface Speech {
  readonly id: string
  readonly text: string
}

/** Pairs each question of a branch with its counterpart in the other, and each answer with its own. Messages that say nothing are left out. */
export const pairSpeeches = (left: readonly WireNode[], right: readonly WireNode[]): Pair<Speech>[] =>
  (['user', 'assistant', 'system'] as const).flatMap(role => pairMessages(speeches(left, role), speeches(right, role)))

const speeches = (path: readonly WireNode[], role: WireNode['message']['role']): Speech[] =>
  path
    .filter(({ message }) => message.role === role)
    .map(({ id, message }) => ({ id, text: textOf(message) }))
    .filter(({ text }) => text)
