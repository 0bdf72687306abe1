import { memo, type ReactNode } from 'react'
import { type Components, defaultRehypePlugins, Streamdown } from 'streamdown'
import { CodeBlock, InlineCode } from './code-block.tsx'

interface Props {
  readonly text: string
  readonly live?: boolean
}

/** A picture of a message, only where its data is in the text itself. A URL is never fetched. */
function Picture({
  src,
  alt,
}: {
  readonly src?: string | Blob | undefined
  readonly alt?: string | undefined
}): ReactNode {
  if (typeof src === 'string' && /^data:image\/(png|jpeg|gif|webp|avif);base64,/.test(src))
    return <img className="picture" src={src} alt={alt ?? ''} />
  return <span className="file-chip">Image not loaded{alt ? `: ${alt}` : ''}</span>
}

function Link({ href, children }: { readonly href?: string | undefined; readonly children?: ReactNode }): ReactNode {
  const safe = href && /^(https?:|mailto:|#)/i.test(href)
  if (!safe) return <span>{children}</span>
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow" title={href}>
      {children}
    </a>
  )
}

/** Streamdown's own elements are replaced by plain ones, which prose.css styles. */
const plain = Object.fromEntries(
  'h1 h2 h3 h4 h5 h6 p ul ol li strong em blockquote hr thead tbody tr th td sup sub del'
    .split(' ')
    .map(tag => [tag, tag]),
)

const components = {
  ...plain,
  img: Picture,
  a: Link,
  code: CodeBlock,
  inlineCode: InlineCode,
  table: ({ children }: { readonly children?: ReactNode }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled with the keyboard
    <section className="table-scroll" tabIndex={0} aria-label="Table">
      <table>{children}</table>
    </section>
  ),
} as unknown as Components

const plugins = [defaultRehypePlugins.sanitize].filter(plugin => plugin !== undefined)

/**
 * The text of a message as Markdown. It is untrusted: HTML is dropped, links are limited to safe schemes, nothing is
 * fetched.
 */
export const Markdown = memo(function Markdown({ text, live = false }: Props): ReactNode {
  return (
    <Streamdown
      className="prose"
      mode={live ? 'streaming' : 'static'}
      parseIncompleteMarkdown={live}
      components={components}
      rehypePlugins={plugins}
      controls={false}
      linkSafety={{ enabled: false }}
    >
      {text}
    </Streamdown>
  )
})
