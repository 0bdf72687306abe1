/**
 * The state of one open conversation, by how it stands to its log. Every state and transition is explained in
 * docs/server-conversations.md, whose diagram is kept equal to the table below by a test.
 */
export type ConversationLifecycle =
  | 'opening'
  | 'current'
  | 'behind'
  | 'takingOver'
  | 'broken'
  | 'cutOff'
  | 'deleted'
  | 'letGo'

/** Happenings in this process, in the store, or in another process that works on the same log. */
export type Happening =
  /** The log was read and the conversation is in the list of open ones. */
  | 'opened'
  /** Like `opened`, with turns that the last process has left. */
  | 'openedWithLeftTurns'
  /** The log may have more events than were read. */
  | 'fellBehind'
  /** A turn that began here may not write: another process holds the lease. */
  | 'writeRefused'
  /** A turn could not be written, and does not go on: its handle is of no use any more. */
  | 'writeFailed'
  /** A turn could not be written, and may go on once the log is read. */
  | 'turnCutOff'
  /** Turns of the log are unfinished, and no living process works on them. */
  | 'turnsAbandoned'
  /** The rest of the log was read. */
  | 'readOn'
  /** No follower, no turn and no caller needs it in memory. */
  | 'unused'
  /** The conversation is deleted, by this process or another. */
  | 'deleted'

/** Effects, carried out by `FollowedLog` in the order given. */
export type LifecycleAction =
  /** Begin at the log's head with the handle that was opened for reading, unless a turn runs on the old one. */
  | 'replaceIdleHandle'
  /** Begin at the log's head with the handle that was opened for reading. */
  | 'replaceHandle'
  /** Drop the text of messages that were being written: they are written again from the beginning. */
  | 'forgetGrowingReplies'
  /** Go on with the unfinished turns of the log. */
  | 'resumeTurns'
  /** Tell that a turn was lost, so that the store is asked who works on it. */
  | 'reportLostTurn'
  /** Hear nothing more from the agent. */
  | 'stopListening'
  /** Tell all followers that the conversation is deleted, and let them go. */
  | 'tellDeleted'

export interface Transition {
  readonly to: ConversationLifecycle
  readonly actions: readonly LifecycleAction[]
}

const go = (to: ConversationLifecycle, ...actions: LifecycleAction[]): Transition => ({ to, actions })

const ends = {
  deleted: go('deleted', 'stopListening', 'tellDeleted'),
  unused: go('letGo', 'stopListening'),
}

/** The table: state × happening → next state and actions. A happening that a state does not list changes nothing. */
export const transitions: Readonly<Record<ConversationLifecycle, Readonly<Partial<Record<Happening, Transition>>>>> = {
  opening: {
    opened: go('current'),
    openedWithLeftTurns: go('current', 'resumeTurns'),
  },
  current: {
    fellBehind: go('behind'),
    writeRefused: go('current', 'reportLostTurn'),
    writeFailed: go('broken', 'reportLostTurn'),
    turnCutOff: go('cutOff'),
    turnsAbandoned: go('takingOver'),
    ...ends,
  },
  behind: {
    writeRefused: go('behind', 'reportLostTurn'),
    writeFailed: go('broken', 'reportLostTurn'),
    turnCutOff: go('cutOff'),
    turnsAbandoned: go('takingOver'),
    readOn: go('current', 'replaceIdleHandle'),
    ...ends,
  },
  takingOver: {
    writeRefused: go('takingOver', 'reportLostTurn'),
    writeFailed: go('cutOff', 'reportLostTurn'),
    turnCutOff: go('cutOff'),
    readOn: go('current', 'replaceIdleHandle', 'resumeTurns'),
    deleted: ends.deleted,
  },
  broken: {
    writeRefused: go('broken', 'reportLostTurn'),
    writeFailed: go('broken', 'reportLostTurn'),
    turnCutOff: go('cutOff'),
    turnsAbandoned: go('cutOff'),
    readOn: go('current', 'replaceHandle', 'forgetGrowingReplies'),
    ...ends,
  },
  cutOff: {
    readOn: go('current', 'replaceHandle', 'forgetGrowingReplies', 'resumeTurns'),
    ...ends,
  },
  deleted: {},
  letGo: {},
}

/** The next state, and the actions to carry out once it is set. Pure. */
export const nextState = (state: ConversationLifecycle, happening: Happening): Transition =>
  transitions[state][happening] ?? { to: state, actions: [] }

/** True for a state in which the rest of the log is read before anybody is given the conversation. */
export const mustReadOn = (state: ConversationLifecycle): boolean => transitions[state].readOn !== undefined

/** True for a state in which the handle is of no use any more, or turns go on once a new one is read; one that is behind lacks events alone. */
export const needsHandle = (state: ConversationLifecycle): boolean => mustReadOn(state) && state !== 'behind'
