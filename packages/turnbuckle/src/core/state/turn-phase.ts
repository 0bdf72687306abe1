/**
 * | phase | the turn |
 * |---|---|
 * | waiting | was sent, and has a log that is not open yet; a turn without a log begins running |
 * | running | opens stages |
 * | halting | a hard directive was given: no further stage begins in this step; outside a step it stays so until it is over |
 * | settling | has an ending; its open calls, queue and closing text are being recorded |
 * | over | has told its terminal event; nothing is recorded any more |
 * | parked | was left for another process; whatever still runs here comes to nothing |
 */
export type TurnPhase = 'waiting' | 'running' | 'halting' | 'settling' | 'over' | 'parked'

/** Something that happens to a turn as a whole. */
export type TurnHappening = 'begin' | 'halt' | 'liftHalt' | 'settle' | 'restart' | 'end' | 'park'

/** The phase after something happens; what is not in the table changes nothing. */
const transitions: Readonly<Record<TurnPhase, Partial<Readonly<Record<TurnHappening, TurnPhase>>>>> = {
  waiting: { begin: 'running', end: 'over', park: 'parked' },
  running: { halt: 'halting', settle: 'settling', end: 'over', park: 'parked' },
  // An ending that a hard directive gave outside a step leaves the turn halting: hooks' own model calls stay stopped.
  halting: { liftHalt: 'running', restart: 'running', end: 'over', park: 'parked' },
  settling: { halt: 'halting', restart: 'running', end: 'over', park: 'parked' },
  over: {},
  parked: {},
}

export const nextPhase = (phase: TurnPhase, happening: TurnHappening): TurnPhase =>
  transitions[phase][happening] ?? phase
