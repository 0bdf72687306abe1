import { useSyncExternalStore } from 'react'

const dark = '(prefers-color-scheme: dark)'

/** True while the page is dark, by the person's choice of theme or by the system's. */
export const useDarkPage = (): boolean =>
  useSyncExternalStore(
    changed => {
      const list = matchMedia(dark)
      const theme = new MutationObserver(changed)
      list.addEventListener('change', changed)
      theme.observe(document.documentElement, { attributeFilter: ['data-theme'] })
      return () => {
        list.removeEventListener('change', changed)
        theme.disconnect()
      }
    },
    () => (document.documentElement.dataset.theme ?? (matchMedia(dark).matches ? 'dark' : 'light')) === 'dark',
    () => false,
  )
