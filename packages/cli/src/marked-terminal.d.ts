declare module 'marked-terminal' {
  import type { MarkedExtension } from 'marked'

  /** Draws Markdown for a terminal. The package has no types of its own. */
  export function markedTerminal(options?: {
    readonly width?: number
    readonly reflowText?: boolean
    readonly tab?: number
    readonly emoji?: boolean
    readonly showSectionPrefix?: boolean
  }): MarkedExtension
}
