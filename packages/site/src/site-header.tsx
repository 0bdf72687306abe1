import type { ReactNode } from 'react'
import { pageAddress, repository } from './links.ts'
import { ThemeButton } from './theme-button.tsx'

const pages = [
  ['start', 'Start'],
  ['tutorial', 'Tutorial'],
  ['hooks', 'Hooks'],
  ['recipes', 'Recipes'],
  ['api/', 'Reference'],
] as const

export function SiteHeader(): ReactNode {
  return (
    <header className="site-header">
      <span className="brand">
        <svg className="mark" width="26" height="26" viewBox="0 0 32 32" aria-hidden="true">
          <path d="M16 2.500c-3 0-3 4.500 0 4.500V11M16 29.500c3 0 3-4.500 0-4.500V21" />
          <rect x="11" y="10" width="10" height="12" rx="3.500" />
          <path d="M16 13.500v5" />
        </svg>
        Turnbuckle
      </span>
      <nav aria-label="Documentation">
        {pages.map(([page, title]) => (
          <a key={page} href={pageAddress(page)}>
            {title}
          </a>
        ))}
        {repository && <a href={repository}>Source</a>}
      </nav>
      <ThemeButton />
    </header>
  )
}
