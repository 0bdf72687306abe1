import { type ReactNode, useState } from 'react'
import { notificationState } from '../conversation/loading/notify-of-questions.ts'
import { handFocusOn } from '../ui/hand-focus-on.ts'
import { Icon } from '../ui/icon.tsx'

/** Asks the browser for notifications, and only when it is pressed. Gone once the person has decided. */
export function NotifyButton(): ReactNode {
  const [state, setState] = useState(notificationState)
  if (state !== 'askable') return null
  const ask = async () => {
    await Notification.requestPermission()
    setState(notificationState())
    handFocusOn()
  }
  return (
    <button type="button" className="link notify" onClick={() => void ask()}>
      <Icon name="bell" size={15} /> Notify me when a question waits
    </button>
  )
}
