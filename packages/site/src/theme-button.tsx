import { type ReactNode, useEffect, useState } from 'react'

/** The key under which the pages of the docs keep it too. */
const key = 'vitepress-theme-appearance'
type Theme = 'auto' | 'light' | 'dark'

const isDark = (theme: Theme): boolean =>
  theme === 'dark' || (theme === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches)

function storedTheme(): Theme {
  try {
    const stored = localStorage.getItem(key)
    return stored === 'light' || stored === 'dark' ? stored : 'auto'
  } catch {
    return 'auto'
  }
}

/** Switches between day and night; what was chosen holds for the pages of the docs as well. */
export function ThemeButton(): ReactNode {
  const [theme, setTheme] = useState(storedTheme)
  useEffect(() => {
    if (theme === 'auto') delete document.documentElement.dataset['theme']
    else document.documentElement.dataset['theme'] = theme
  }, [theme])
  const toggle = () => {
    const next = isDark(theme) ? 'light' : 'dark'
    setTheme(next)
    try {
      localStorage.setItem(key, next)
    } catch {
      // A browser that keeps nothing: the choice holds until the page is left.
    }
  }
  return (
    <button type="button" className="icon-button" aria-label="Light or dark" title="Light or dark" onClick={toggle}>
      <svg className="icon" width="18" height="18" viewBox="0 0 24 24" aria-hidden="true">
        <circle cx="12" cy="12" r="8" />
        <path d="M12 4v16a8 8 0 0 0 0-16" fill="currentColor" />
      </svg>
    </button>
  )
}
