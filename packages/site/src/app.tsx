import { type ReactNode, useState } from 'react'
import { EditorPanel } from './editor/editor-panel.tsx'
import { usePlay } from './play/use-play.ts'
import { ScenarioPicker } from './scenarios/scenario-picker.tsx'
import { SiteFooter } from './site-footer.tsx'
import { SiteHeader } from './site-header.tsx'
import { StagePanel } from './stage/stage-panel.tsx'

/** The half of the workbench that a phone shows: it has no room for both. */
export type Side = 'code' | 'turn'

/** The first page of the site: a hook on the left, its turn on the right. */
export function App(): ReactNode {
  const play = usePlay()
  const [side, setSide] = useState<Side>('turn')
  const run = () => {
    setSide('turn')
    play.run()
  }
  return (
    <>
      <a className="skip-link" href="#workbench">
        Skip to the playground
      </a>
      <SiteHeader />
      <main id="workbench">
        <div className="hero">
          <h1>Turns, with hooks at both ends.</h1>
          <p>
            An agent loop you can reach into. Edit the hook, run it, and watch the turn. All of it happens in this page:
            no server, no key.
          </p>
        </div>
        <ScenarioPicker current={play.scenario} onPick={play.pick} />
        <fieldset className="sides" aria-label="Show">
          {(['code', 'turn'] as const).map(one => (
            <button key={one} type="button" aria-pressed={side === one} onClick={() => setSide(one)}>
              {one === 'code' ? 'The hook' : 'The turn'}
            </button>
          ))}
        </fieldset>
        <div className="workbench" data-side={side}>
          <EditorPanel play={play} onRun={run} />
          <StagePanel play={play} onRun={run} />
        </div>
      </main>
      <SiteFooter />
    </>
  )
}
