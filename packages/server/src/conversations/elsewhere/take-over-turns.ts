import type { LeftTurns } from './left-turns.ts'

/**
 * Goes on with the turns that the last process left, and looks again and again for those that other servers on the store have
 * left since. Returns a function that stops it.
 */
export function takeOverTurns(
  left: Pick<LeftTurns, 'resumeFound' | 'takeOverAll'>,
  everyMs = 10_000,
  report: (error: unknown) => void = () => {},
): () => void {
  let isLooking = true
  const look = async (find: LeftTurns['takeOverAll']) => {
    isLooking = true
    await find.call(left, report).catch(report)
    isLooking = false
  }
  void look(left.resumeFound)
  const timer = setInterval(() => {
    if (!isLooking) void look(left.takeOverAll)
  }, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}
