import type { ReactNode } from 'react'
import { type Notice, useAppState } from '../state/app-state.ts'
import { Icon } from './icon.tsx'

const lost = 'The server does not answer. Running turns go on there; this page catches up when it is back.'

/** The lost connection and the current notice. They lie over the page, so that no message moves; the lost connection, which stays, over none. */
export function Banner(): ReactNode {
  const status = useAppState(app => app.status)
  const notice = useAppState(app => app.notice)
  const client = useAppState(app => app.client)
  const isLost = status === 'offline'
  // A call that failed for the lost connection alone has no line of its own: that of the connection becomes an alert.
  const isSaid = isLost && notice !== undefined && lost.startsWith(notice.text)
  return (
    <div className="banners" aria-live="polite">
      {isLost && (
        <p className={`banner lost ${isSaid ? 'bad' : 'warn'}`} role={isSaid ? 'alert' : undefined}>
          <Icon name="warn" size={16} />
          <span>{lost}</span>
          <button type="button" className="link" onClick={() => client?.reconnect()}>
            Try now
          </button>
        </p>
      )}
      {notice && !isSaid && (
        <p className={`banner ${notice.tone}`} role={notice.tone === 'bad' ? 'alert' : undefined}>
          <Icon name={notice.tone === 'bad' ? 'warn' : 'check'} size={16} />
          <span>{notice.text}</span>
          {notice.action && (
            <button type="button" className="link" onClick={() => act(notice.action)}>
              {notice.action.label}
            </button>
          )}
        </p>
      )}
    </div>
  )
}

function act(action: Notice['action']): void {
  useAppState.setState({ notice: undefined })
  action?.run()
}
