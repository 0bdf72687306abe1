import type { Turn } from '../core/types/turn.ts'

const groups = new WeakMap<Turn, Turn[]>()

/** Notes that a turn works on the same message as another, beside it: a limit of one turn holds for all of them together. */
export function workBeside(turn: Turn, other: Turn): void {
  const group = groups.get(turn) ?? [turn]
  group.push(other)
  groups.set(turn, group)
  groups.set(other, group)
}

/** True for a turn that only tries what another turn may take over: one of `explore`'s branches. */
export const isTrial = (turn: Turn): boolean => sideBySide(turn)[0] !== turn

/** The turn, and those that work on the same message. */
export const sideBySide = (turn: Turn): readonly Turn[] => groups.get(turn) ?? [turn]
