import type { Conversation, Turn } from 'turnbuckle'
import { IdleWatch } from './idle-watch.ts'

/**
 * Parks a turn once it has only waited for people for that long, without a call that runs. Resolves with true then, and with false when
 * the turn has settled otherwise.
 */
export function parkWhenIdle(turn: Turn, conversation: Conversation, afterMs: number): Promise<boolean> {
  const watch = new IdleWatch()
  return new Promise(resolve => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let isParked = false
    const look = () => {
      if (turn.ended || !turn.requests.length || !watch.isIdle) return
      // The turn is about to expire it. Left now, it would come back at once, and be left again.
      if (turn.requests.some(({ deadline = Infinity }) => deadline <= Date.now())) return lookLater()
      isParked = true
      turn.park()
    }
    const lookLater = () => {
      clearTimeout(timer)
      timer = setTimeout(look, afterMs)
    }
    let hasBegun = false
    const stop = conversation.subscribe(event => {
      watch.hear(event)
      if (hasBegun) lookLater()
    })
    // The requests of a turn that is resumed are not told again. One that waits to become the log's writer is not parked.
    void turn.began.then(() => {
      hasBegun = true
      if (!turn.ended) lookLater()
    })
    void turn.settled.then(() => {
      stop()
      clearTimeout(timer)
      resolve(isParked)
    })
  })
}
