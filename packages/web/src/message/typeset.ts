import 'katex/dist/katex.min.css'
import katex from 'katex'
import type { Formula } from '../markdown/mark-math.ts'

/**
 * Draws a formula into the element. It is untrusted: no links, no pictures, no HTML, and bounds for sizes and macros.
 * KaTeX builds the elements itself, since the server's policy forbids styles in HTML text. Throws on a mistake in the TeX.
 */
export function typeset({ tex, display }: Formula, element: HTMLElement): void {
  katex.render(tex, element, {
    displayMode: display,
    throwOnError: true,
    strict: 'ignore',
    trust: false,
    maxSize: 20,
    maxExpand: 500,
  })
}
