import type { TurnState } from '../types/turn-state.ts'

const followers = new WeakSet<TurnState>()

/** Marks a turn that goes on from where the conversation is, not from a message of its own. */
export const markFollower = (turn: TurnState): void => void followers.add(turn)

export const isFollower = (turn: TurnState): boolean => followers.has(turn)
