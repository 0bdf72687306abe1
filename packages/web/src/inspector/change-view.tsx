import { type ReactNode, useState } from 'react'
import type { WireChange } from 'turnbuckle/client'
import { DiffView } from '../ui/diff-view.tsx'
import { lineDiff } from './line-diff.ts'

/** Names for the input of each built-in stage; other stages take an "input". */
const inputs: Readonly<Record<string, string>> = {
  turn: 'message',
  input: 'message',
  append: 'message',
  model: 'prompt',
  detect: 'reply',
  tools: 'calls',
  tool: 'call',
}

const others: Readonly<Record<string, string>> = { chunk: 'a piece of the reply', shared: 'shared values' }

function nameOf(stage: string, what: string): string {
  if (what === 'input') return inputs[stage] ?? what
  return others[what] ?? what
}

/** A change that a hook made, as a diff. The diff is computed when it is opened. */
export function ChangeView({ stage, change }: { readonly stage: string; readonly change: WireChange }): ReactNode {
  const [open, setOpen] = useState(false)
  const what = nameOf(stage, change.what)
  return (
    <details className="change" onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>changed {what}</summary>
      {open && <DiffView lines={lineDiff(change.before, change.after)} />}
    </details>
  )
}
