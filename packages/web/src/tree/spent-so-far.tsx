import { type ReactNode, useMemo } from 'react'
import { pathTo } from '../conversation/facts/message-tree.ts'
import { usageOnPath } from '../conversation/facts/usage-on-path.ts'
import { type AppState, useAppState } from '../state/app-state.ts'
import { formatSpent } from '../ui/format-usage.ts'
import { isCounted, usageSoFar } from './usage-so-far.ts'

/** The tokens or cost of a branch whose turn runs, in a line of its own: while a reply is written behind its last message, with an estimate of that. */
export function SpentSoFar({ id, spent }: { readonly id: string; readonly spent: string | undefined }): ReactNode {
  const nodes = useAppState(app => app.conversation?.nodes)
  const path = useMemo(() => (nodes ? pathTo(nodes, id) : []), [nodes, id])
  const soFar = useAppState(app => {
    const written = [...(app.conversation?.live.values() ?? [])].find(({ parentId }) => parentId === id)
    if (!written) return undefined
    const [known, now] = [usageOnPath(path), usageSoFar(path, written, priceInUse(app))]
    const sum = {
      inputTokens: known.inputTokens + now.inputTokens,
      outputTokens: known.outputTokens + now.outputTokens,
    }
    const hasCost = known.cost !== undefined && now.cost !== undefined
    const words = formatSpent(hasCost ? { ...sum, cost: (known.cost ?? 0) + (now.cost ?? 0) } : sum)
    return `${path.some(isCounted) ? 'about' : 'at least'} ${words}`
  })
  const shown = soFar ?? spent
  return shown && <span className="tree-spent">{shown}</span>
}

/** The price of the conversation's model, where it is known. */
function priceInUse({ models, conversation }: AppState) {
  const name = conversation?.settings?.model ?? models?.default
  return models?.models.find(({ id }) => id === name)?.price
}
