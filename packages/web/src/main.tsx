import './styles.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { keepUnsentMessages } from './state/keep-unsent-messages.ts'
import { applyTheme, readTheme } from './state/theme.ts'
import { ErrorBoundary } from './ui/error-boundary.tsx'

applyTheme(readTheme())
// Fonts are loaded before they are needed: no text changes its size when the first code block or tool card is drawn.
for (const font of document.fonts) font.load().catch(() => {})
keepUnsentMessages()
const root = document.getElementById('root')
if (root)
  createRoot(root).render(
    <StrictMode>
      <ErrorBoundary what="This page">
        <App />
      </ErrorBoundary>
    </StrictMode>,
  )
