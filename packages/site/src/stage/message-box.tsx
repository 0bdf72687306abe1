import { type FormEvent, type ReactNode, useState } from 'react'
import type { Phase } from '../play/session.ts'

interface Given {
  readonly phase: Phase
  onSay(text: string): void
}

const hints: Readonly<Record<Phase, string>> = {
  idle: 'Say something of your own',
  loading: 'Loading …',
  running: 'Say something while it works',
  over: 'Go on with the conversation',
  ended: 'Say something of your own',
}

/** A message of the visitor's own: a new run, the next turn, or an interjection. */
export function MessageBox({ phase, onSay }: Given): ReactNode {
  const [text, setText] = useState('')
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (!text.trim()) return
    onSay(text.trim())
    setText('')
  }
  return (
    <form className="message-box" onSubmit={send}>
      <input
        aria-label="Message"
        value={text}
        placeholder={hints[phase]}
        disabled={phase === 'loading'}
        onChange={event => setText(event.target.value)}
      />
      <button type="submit" className="button" disabled={!text.trim()}>
        {phase === 'running' ? 'Interject' : 'Send'}
      </button>
    </form>
  )
}
