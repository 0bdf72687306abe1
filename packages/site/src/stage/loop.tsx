import type { ReactNode } from 'react'
import { hookKey, type Scene } from '../play/scene.ts'
import type { DrawnHook } from '../run/protocol.ts'

type State = 'open' | 'done' | 'ahead'

/** Before a run has drawn its own agent: the stages of any. */
const anyAgent = {
  turnStages: ['input', 'step'],
  stepStages: ['model', 'detect', 'append', 'tools', 'decide'],
  hooks: [],
}

/** The stages of the turn as nested boxes, with their hooks at them. What runs now is lit. */
export function Loop({ scene }: { readonly scene: Scene }): ReactNode {
  const { turnStages, stepStages } = scene.agent ?? anyAgent
  const behind = turnStages.indexOf('step')
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keyboard
    <section className="loop" aria-label="Stages and hooks" tabIndex={0}>
      <Box scene={scene} name="turn" className="frame">
        <div className="boxes">
          {turnStages.slice(0, behind).map(name => (
            <Box key={name} scene={scene} name={name} />
          ))}
          <Box scene={scene} name="step" className="frame" label={`step ${scene.step} ↻`}>
            <div className="boxes">
              {stepStages.map(name => (
                <Box key={name} scene={scene} name={name}>
                  {name === 'tools' && <Box scene={scene} name="tool" />}
                </Box>
              ))}
              {scene.stages.has('generate') && <Box scene={scene} name="generate" />}
            </div>
          </Box>
          {turnStages.slice(behind + 1).map(name => (
            <Box key={name} scene={scene} name={name} />
          ))}
        </div>
      </Box>
    </section>
  )
}

interface BoxGiven {
  readonly scene: Scene
  readonly name: string
  readonly className?: string
  readonly label?: string
  readonly children?: ReactNode
}

function Box({ scene, name, className = '', label = name, children }: BoxGiven): ReactNode {
  const open = [...scene.open.values()]
  const isOpen = open.some(span => span.kind === 'stage' && span.stage === name)
  const state: State = isOpen ? 'open' : scene.stages.has(name) ? 'done' : 'ahead'
  const hooks = (scene.agent?.hooks ?? []).filter(hook => hook.stage === name && isShown(scene, hook))
  // The innermost stage is where the turn is.
  const isHere = open.findLast(span => span.kind === 'stage')?.stage === name
  return (
    <div className={`box ${className}`} data-stage={name} data-state={state} data-here={isHere}>
      <div className="box-head">
        <span className="box-name">{label}</span>
        {hooks.map(hook => (
          <Peg key={hookKey(hook)} scene={scene} hook={hook} />
        ))}
      </div>
      {children}
    </div>
  )
}

/** The stage stands beside it: of `beforeTool` that leaves `before`. */
const pointOf = (at: string): string => /^(before|wrap|after)/.exec(at)?.[0] ?? at

/** The breaker that every agent has is drawn once it has decided something: it would take the room of the visitor's hooks. */
const isShown = (scene: Scene, hook: DrawnHook): boolean =>
  hook.by !== 'circuit-breaker' || scene.hooks.get(hookKey(hook))?.directive !== undefined

/** A hook: dim before it has run, lit while it runs, with its directive once it has returned one. */
function Peg({ scene, hook }: { readonly scene: Scene; readonly hook: DrawnHook }): ReactNode {
  const mark = scene.hooks.get(hookKey(hook))
  const isOpen = [...scene.open.values()].some(({ by, at }) => by === hook.by && at === hook.at)
  const state: State = isOpen ? 'open' : mark ? 'done' : 'ahead'
  return (
    <span
      className="peg"
      data-state={state}
      data-guard={hook.guard}
      data-failed={mark?.error !== undefined}
      title={`${hook.at} of ${hook.by}${hook.guard ? ', a guard' : ''}`}
    >
      <span className="peg-at">{pointOf(hook.at)}</span>
      <span className="peg-by">{hook.by}</span>
      {mark && mark.count > 1 && <span className="peg-count">×{mark.count}</span>}
      {mark?.directive && <span className="directive">{mark.directive}</span>}
    </span>
  )
}
