import { type ReactNode, useState } from 'react'
import { type Pace, paces } from '../play/dwell.ts'
import type { Moment, Session } from '../play/session.ts'

interface Given {
  readonly moment: Moment
  readonly session: Session
  readonly onRun: () => void
}

/** Run and stop; pause, one step further, back and forth; and how fast. */
export function Transport({ moment, session, onRun }: Given): ReactNode {
  const { phase, playing, position, total } = moment
  const isRunning = phase === 'running' || phase === 'loading'
  return (
    <div className="panel-bar transport">
      <button type="button" className="button primary" onClick={onRun} title="Ctrl or ⌘ and Enter, in the editor">
        {phase === 'idle' ? 'Run' : 'Run again'}
      </button>
      <button type="button" className="button" disabled={!isRunning} onClick={() => session.interrupt()} title="Esc">
        Stop
      </button>
      <button
        type="button"
        className="icon-button"
        disabled={!total}
        aria-label={playing ? 'Pause' : 'Play'}
        title={playing ? 'Pause: the turn waits too' : 'Play'}
        onClick={() => (playing ? session.pause() : session.play())}
      >
        <svg className="icon" width="18" height="18" viewBox="0 0 24 24" aria-hidden="true">
          <path d={playing ? 'M8 5v14M16 5v14' : 'M7 5l12 7-12 7z'} />
        </svg>
      </button>
      <button
        type="button"
        className="icon-button"
        disabled={!total}
        aria-label="One step further"
        title="One step further"
        onClick={() => session.step()}
      >
        <svg className="icon" width="18" height="18" viewBox="0 0 24 24" aria-hidden="true">
          <path d="M6 5l9 7-9 7zM19 5v14" />
        </svg>
      </button>
      <input
        type="range"
        aria-label="Moment of the turn"
        min={0}
        max={Math.max(total, 1)}
        value={position}
        disabled={!total}
        onChange={event => session.seek(Number(event.target.value))}
      />
      <PaceSelect session={session} />
    </div>
  )
}

function PaceSelect({ session }: { readonly session: Session }): ReactNode {
  const [pace, setPace] = useState<Pace>('steady')
  const choose = (chosen: Pace) => {
    setPace(chosen)
    session.setPace(chosen)
  }
  return (
    <select aria-label="Pace" value={pace} onChange={event => choose(event.target.value as Pace)}>
      {paces.map(one => (
        <option key={one}>{one}</option>
      ))}
    </select>
  )
}
