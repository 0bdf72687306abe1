import { defaultSchema, type Schema, sanitize } from 'hast-util-sanitize'
import { type Components, toJsxRuntime } from 'hast-util-to-jsx-runtime'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { type Handlers, toHast } from 'mdast-util-to-hast'
import { gfm } from 'micromark-extension-gfm'
import type { ReactNode } from 'react'
import { Fragment, jsx, jsxs } from 'react/jsx-runtime'

const extensions = [gfm()]
const mdastExtensions = [gfmFromMarkdown()]

/** HTML is not read: it is shown as it is written, so that no word of a text about HTML is lost. */
const handlers: Handlers = { html: (_, { value }: { value: string }) => ({ type: 'text', value }) }

/** Pictures only as data in the text itself: an address would be fetched. */
const schema: Schema = { ...defaultSchema, protocols: { ...defaultSchema.protocols, src: ['data'] } }

/**
 * GitHub's Markdown as elements, each drawn by its component where it has one. The text is untrusted: HTML in it is
 * text, and the elements are cleaned by GitHub's rules.
 */
export function readMarkdown(text: string, components: Partial<Components>): ReactNode {
  const tree = sanitize(toHast(fromMarkdown(text, { extensions, mdastExtensions }), { handlers }), schema)
  return toJsxRuntime(tree, { Fragment, jsx, jsxs, components, ignoreInvalidStyle: true })
}
