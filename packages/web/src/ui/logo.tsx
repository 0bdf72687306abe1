import type { ReactNode } from 'react'

/** A turnbuckle: two hooks and the thread between them. */
export function Logo({ size = 26 }: { readonly size?: number }): ReactNode {
  return (
    <svg className="mark" width={`${size / 16}rem`} height={`${size / 16}rem`} viewBox="0 0 32 32" aria-hidden="true">
      <path d="M16 2.500c-3 0-3 4.500 0 4.500V11M16 29.500c3 0 3-4.500 0-4.500V21" />
      <rect x="11" y="10" width="10" height="12" rx="3.500" />
      <path d="M16 13.500v5" />
    </svg>
  )
}
