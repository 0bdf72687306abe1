import { posix } from 'node:path'
import type { MarkdownOptions } from 'vitepress'

type MarkdownIt = Parameters<NonNullable<MarkdownOptions['config']>>[0]

/** The path in the repository that a link leads to, where it leaves docs/; nothing for one that stays. */
export function pathOutside(file: string, href: string): string | undefined {
  if (/^([a-z]+:|#|\/)/.test(href)) return undefined
  const path = posix.join('docs', posix.dirname(file), href)
  return path.startsWith('docs/') ? undefined : path
}

/** In the place of a link's beginning or end, this leaves its words alone. */
const noText = { type: 'text', tag: '', content: '' }

type Token = ReturnType<MarkdownIt['parse']>[number]

/** Links to files of the repository that are no pages lead to the repository; without an address for it they are plain text. */
export function outsideLinks(markdown: MarkdownIt, repository: string | undefined): void {
  markdown.core.ruler.push('outside-links', ({ env, tokens }) => {
    const { relativePath } = env as { readonly relativePath: string }
    for (const { children } of tokens) if (children) turnOutside(children, relativePath, repository)
  })
}

/** Links do not nest: the next `link_close` is that of the last `link_open`. */
function turnOutside(tokens: readonly Token[], file: string, repository: string | undefined): void {
  let isText = false
  for (const token of tokens) {
    if (token.type === 'link_open') {
      const outside = pathOutside(file, token.attrGet('href') ?? '')
      isText = outside !== undefined && !repository
      if (outside !== undefined && repository) token.attrSet('href', `${repository}/blob/main/${outside}`)
    }
    if (isText && (token.type === 'link_open' || token.type === 'link_close')) Object.assign(token, noText)
  }
}
