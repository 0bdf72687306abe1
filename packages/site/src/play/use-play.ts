import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { FileName, Files } from '../run/protocol.ts'
import { isScenario, type Scenario, scenarioOf } from '../scenarios/scenarios.ts'
import { readLink, writeLink } from './code-link.ts'
import { type Moment, Session } from './session.ts'

/** All that the page has in hand: the scenario, the code, and the session that runs it. */
export interface Play {
  readonly scenario: Scenario
  readonly files: Files
  readonly changed: boolean
  readonly session: Session
  readonly moment: Moment
  edit(name: FileName, text: string): void
  pick(id: string): void
  reset(): void
  run(message?: string): void
  /** Puts the code into the page's address, and gives that. */
  share(): Promise<string>
}

const createWorker = (): Worker => new Worker(new URL('../run/run-worker.ts', import.meta.url), { type: 'module' })
const isCalm = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches

export function usePlay(): Play {
  const [session] = useState(() => new Session(createWorker))
  const moment = useSyncExternalStore(session.subscribe, () => session.moment)
  const [scenario, setScenario] = useState(() => scenarioOf(''))
  const [files, setFiles] = useState<Files>(scenario.files)
  const changed = files !== scenario.files
  const current = useRef(files)
  current.current = files

  const open = useCallback(
    (id: string, code?: Files) => {
      const next = scenarioOf(id)
      setScenario(next)
      setFiles(code ?? next.files)
      // The code of a link that somebody sent runs when the visitor says so.
      if (code) session.reset()
      else session.start(next.files)
    },
    [session],
  )
  useOpenLink(open)
  useEffect(() => () => session.close(), [session])

  return {
    scenario,
    files,
    changed,
    session,
    moment,
    edit: (name, text) => setFiles(known => ({ ...known, [name]: text })),
    pick: id => {
      history.replaceState(null, '', `#${id}`)
      open(id)
    },
    reset: () => setFiles(scenario.files),
    run: message => session.start(current.current, message),
    async share() {
      const fragment = await writeLink({ scenario: scenario.id, ...(changed ? { files } : {}) })
      history.replaceState(null, '', fragment)
      return location.href
    },
  }
}

/** Opens what the address names, now and when it changes. The first scenario plays by itself, unless motion is unwelcome. */
function useOpenLink(open: (id: string, code?: Files) => void): void {
  useEffect(() => {
    let isGone = false
    const read = async (isFirst: boolean) => {
      const link = await readLink(location.hash)
      if (isGone) return
      if (link && isScenario(link.scenario)) open(link.scenario, link.files)
      else if (isFirst && !isCalm()) open('')
    }
    const listen = () => void read(false)
    addEventListener('hashchange', listen)
    void read(true)
    return () => {
      isGone = true
      removeEventListener('hashchange', listen)
    }
  }, [open])
}
