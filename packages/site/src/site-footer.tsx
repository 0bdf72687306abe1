import type { ReactNode } from 'react'
import { pageAddress } from './links.ts'
import { ways } from './ways.ts'

/** The ways on from here. */
export function SiteFooter(): ReactNode {
  return (
    <footer className="site-footer">
      <h2>Read on</h2>
      <ul>
        {ways.map(([page, title, says]) => (
          <li key={page}>
            <a className="way" href={pageAddress(page)}>
              <strong>{title}</strong>
              <span>{says}</span>
            </a>
          </li>
        ))}
      </ul>
      <p>
        The loop is short: every stage has the same three hook points, a hook steers by returning a directive, and one
        resolver decides. What you see above is the library itself, slowed down to reading speed.
      </p>
    </footer>
  )
}
