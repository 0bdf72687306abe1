import { type ReactNode, useState } from 'react'
import type { WireChange } from 'turnbuckle/client'
import { DiffView } from '../ui/diff-view.tsx'
import { lineDiff } from './line-diff.ts'

/** What a stage takes in, by the name people know. */
const inputs: Readonly<Record<string, string>> = {
  turn: 'message',
  input: 'message',
  append: 'message',
  model: 'prompt',
  detect: 'reply',
  tools: 'calls',
  tool: 'call',
}

/** What a hook changed, as a diff. */
export function ChangeView({ stage, change }: { readonly stage: string; readonly change: WireChange }): ReactNode {
  const [open, setOpen] = useState(false)
  const what = change.what === 'input' ? (inputs[stage] ?? 'input') : change.what
  return (
    <details className="change" onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>changed {what}</summary>
      {open && <DiffView lines={lineDiff(change.before, change.after)} />}
    </details>
  )
}
