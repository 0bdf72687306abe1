import type { ConversationService } from '../conversation-service.ts'

/**
 * Goes on with the turns that the last process left, and looks again and again for those that other servers on the store have
 * left since. Returns a function that stops it.
 */
export function takeOverTurns(
  conversations: Pick<ConversationService, 'resumeLeftTurns' | 'takeOverLeftTurns'>,
  everyMs = 10_000,
  report: (error: unknown) => void = () => {},
): () => void {
  let isLooking = true
  const look = async (find: typeof conversations.takeOverLeftTurns) => {
    isLooking = true
    await find.call(conversations, report).catch(report)
    isLooking = false
  }
  void look(conversations.resumeLeftTurns)
  const timer = setInterval(() => {
    if (!isLooking) void look(conversations.takeOverLeftTurns)
  }, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}
