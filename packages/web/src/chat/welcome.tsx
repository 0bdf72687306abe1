import type { ReactNode } from 'react'
import { sendMessage } from '../conversation/send-message.ts'
import { Logo } from '../ui/logo.tsx'

const ideas = ['What can you do?', 'List the files here', 'What is 17 × 23?']

export function Welcome(): ReactNode {
  return (
    <div className="scroll">
      <div className="empty">
        <Logo size={52} />
        <h2>What shall we turn to?</h2>
        <p>Write below, or begin with one of these. Every message can be a fork: nothing is ever lost.</p>
        <ul className="ideas">
          {ideas.map(idea => (
            <li key={idea}>
              <button type="button" className="idea" onClick={() => void sendMessage(idea, [])}>
                {idea}
              </button>
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}
