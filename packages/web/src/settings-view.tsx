import { lazy, type ReactNode, Suspense } from 'react'
import { ErrorBoundary } from './ui/error-boundary.tsx'

const SettingsPage = lazy(() => import('./settings/settings-page.tsx'))

/** The settings, whose code is loaded when they are first opened. */
export function SettingsView(): ReactNode {
  return (
    <ErrorBoundary what="The settings page">
      <Suspense fallback={<p className="loading">Loading the settings …</p>}>
        <SettingsPage />
      </Suspense>
    </ErrorBoundary>
  )
}
