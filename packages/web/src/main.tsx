import './styles.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { applyTheme, readTheme } from './state/theme.ts'
import { keepUnsent } from './state/unsent.ts'
import { Boundary } from './ui/boundary.tsx'

applyTheme(readTheme())
// Fetched before they are needed: nothing changes its shape when the first code or card comes.
for (const font of document.fonts) font.load().catch(() => {})
keepUnsent()
const root = document.getElementById('root')
if (root)
  createRoot(root).render(
    <StrictMode>
      <Boundary what="This page">
        <App />
      </Boundary>
    </StrictMode>,
  )
