import { type ReactNode, useEffect, useState } from 'react'
import { useAppState } from '../state/app-state.ts'

/** Milliseconds that the hooks before the input may take until the words are shown: mostly they are recorded at once. */
const patienceMs = 400
const shownLetters = 2000

interface Props {
  readonly turnId: string
  /** The log has a message of the turn. */
  readonly isRecorded: boolean
}

/** The person's words while hooks hold the turn before its input is recorded, by a question or a slow check. */
export function UnrecordedWords({ turnId, isRecorded }: Props): ReactNode {
  const text = useAppState(({ begunTurn }) => (begunTurn?.id === turnId ? begunTurn.text : undefined))
  const isWaiting = text !== undefined && !isRecorded
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    if (!isWaiting) return
    const timer = setTimeout(setLate, patienceMs, true)
    return () => {
      clearTimeout(timer)
      setLate(false)
    }
  }, [isWaiting])
  if (!isWaiting || !isLate) return null
  return (
    <div className="message user">
      <div className="bubble">
        <div className="said">{text.slice(0, shownLetters)}</div>
      </div>
    </div>
  )
}
