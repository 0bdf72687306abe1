import { type ReactNode, Suspense } from 'react'
import { type PanelId, panels } from './panels.ts'
import { ErrorBoundary } from './ui/error-boundary.tsx'

/** An open panel. While its code is loaded its place is kept; a panel that fails leaves the rest of the page alone. */
export function PanelView({ id }: { readonly id: PanelId }): ReactNode {
  const panel = panels.find(one => one.id === id)
  if (!panel) return null
  const loading = `Loading the ${id} …`
  return (
    <ErrorBoundary key={id} what={`The ${id}`}>
      <Suspense
        fallback={
          panel.place === 'side' ? (
            <aside className="side-panel loading">{loading}</aside>
          ) : (
            <p className="loading">{loading}</p>
          )
        }
      >
        <panel.View />
      </Suspense>
    </ErrorBoundary>
  )
}
