import { type ReactNode, useContext } from 'react'
import { sendMessage } from '../conversation/send-message.ts'
import { SettingsAnchor } from '../settings-link.tsx'
import { ReadOnlyContext } from '../share/read-only.ts'
import { useAppState } from '../state/app-state.ts'
import { Logo } from '../ui/logo.tsx'

/** Each works with every model, the offline one included. */
export const ideas = ['What can you do?', 'List the files here', 'What is 17 × 23?']

export function Welcome(): ReactNode {
  const readOnly = useContext(ReadOnlyContext)
  const offline = useAppState(app => app.models?.models.find(({ id }) => id === app.models?.default)?.offline)
  if (readOnly) return <NothingChosen />
  return (
    <div className="scroll">
      <div className="empty">
        <Logo size={52} />
        <h2>What shall we turn to?</h2>
        {offline ? (
          <Offline />
        ) : (
          <p>Write below, or begin with one of these. Every message can be a fork: nothing is ever lost.</p>
        )}
        <ul className="ideas">
          {ideas.map(idea => (
            <li key={idea}>
              <button type="button" className="idea" onClick={() => begin(idea)}>
                {idea}
              </button>
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}

/** A second press while the first is on its way begins no second conversation. */
function begin(idea: string): void {
  if (!useAppState.getState().sending) void sendMessage(idea, [])
}

/** For a viewer, who begins no conversation. */
function NothingChosen(): ReactNode {
  return (
    <div className="scroll">
      <div className="empty">
        <Logo size={52} />
        <h2>What shall we read?</h2>
        <p>The list has the conversations that others share with you.</p>
      </div>
    </div>
  )
}

/** Says what answers while no model is connected, and how to connect one. */
function Offline(): ReactNode {
  const isOwner = useAppState(app => app.me?.role === 'owner')
  return (
    <>
      <p>
        <strong>A script answers here, no AI.</strong> It knows a few sentences, needs no key and no network, and drives
        the real tools: read, list, search and write files, run a command, calculate, wait, ask.
      </p>
      <p>
        {isOwner && (
          <>
            To connect a model, <SettingsAnchor section="models">open the settings</SettingsAnchor>. Or{' '}
          </>
        )}
        {isOwner ? '' : 'To connect a model, '}run <code className="inline-code">turnbuckle setup</code> in a terminal,
        or set <code className="inline-code">ANTHROPIC_API_KEY</code>,{' '}
        <code className="inline-code">OPENAI_API_KEY</code> or{' '}
        <code className="inline-code">GOOGLE_GENERATIVE_AI_API_KEY</code>, and start the server again.
      </p>
    </>
  )
}
