import { type ReactNode, useEffect, useRef } from 'react'
import type { Play } from '../play/use-play.ts'
import { Chat } from './chat.tsx'
import { Decisions } from './decisions.tsx'
import { Loop } from './loop.tsx'
import { MessageBox } from './message-box.tsx'
import { Transport } from './transport.tsx'
import { Tree } from './tree.tsx'

/** The right half: the loop as it runs, the chat, the tree, and who decided what. */
export function StagePanel({ play, onRun }: { readonly play: Play; readonly onRun: () => void }): ReactNode {
  const { moment, session } = play
  const { scene, phase } = moment
  useEscape(() => phase === 'running' && session.interrupt())
  return (
    <section className="panel stage-panel" aria-label="The turn" data-phase={phase} data-scenario={play.scenario.id}>
      <Transport moment={moment} session={session} onRun={onRun} />
      <Loop scene={scene} />
      <div className="below">
        <div className="talk">
          <Chat scene={scene} phase={phase} onAnswer={(id, answer) => session.answer(id, answer)} />
          <MessageBox
            phase={phase}
            onSay={text => (phase === 'over' || phase === 'running' ? session.say(text) : play.run(text))}
          />
        </div>
        <div className="seen">
          <Tree scene={scene} onPick={phase === 'over' ? id => session.checkout(id) : undefined} />
          <Decisions scene={scene} />
        </div>
      </div>
    </section>
  )
}

/** Esc interrupts, unless an editor or a list has a use for it. */
function useEscape(interrupt: () => void): void {
  const latest = useRef(interrupt)
  latest.current = interrupt
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const { target } = event
      const isBusy = target instanceof Element && target.closest('.code-editor, select')
      if (event.key === 'Escape' && !isBusy && !event.defaultPrevented) latest.current()
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
}
