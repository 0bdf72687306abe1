import { type ReactNode, type SyntheticEvent, useEffect, useState } from 'react'
import { drawDiagram } from '../diagram/draw-diagram.ts'
import { useDarkPage } from '../ui/use-dark-page.ts'

/** Milliseconds without another word of a diagram's text until it is drawn. */
const restMs = 250

interface Drawn {
  readonly url?: string
  readonly problem?: string
}

/**
 * A diagram as a picture: no script of an SVG runs in a picture, and none of its links or addresses is followed. The last
 * good picture stays while the text grows.
 */
export function DiagramView({ source }: { readonly source: string }): ReactNode {
  const { url, problem } = useDiagram(source)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide diagram is scrolled with the keyboard
    // biome-ignore lint/a11y/useSemanticElements: one of many is no landmark, and a fieldset is for forms
    <div className="diagram" tabIndex={0} role="group" aria-label="Diagram">
      {url ? (
        <img src={url} alt={`Diagram: ${source.replace(/\s+/g, ' ').slice(0, 300)}`} onLoad={growWithLetters} />
      ) : (
        <pre>{source}</pre>
      )}
      {problem && !url && <p className="diagram-problem">Not drawn: {problem.split('\n')[0]?.slice(0, 200)}</p>}
    </div>
  )
}

/** A diagram is drawn in pixels; on a large screen, where letters are larger, so are its words. */
function growWithLetters({ currentTarget: image }: SyntheticEvent<HTMLImageElement>): void {
  image.style.width = `${image.naturalWidth / 16}rem`
}

function useDiagram(source: string): Drawn {
  const dark = useDarkPage()
  const [drawn, setDrawn] = useState<Drawn>({})
  useEffect(() => {
    let gone = false
    const timer = setTimeout(() => {
      drawDiagram(source, dark).then(
        svg => {
          if (!gone) setDrawn({ url: URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' })) })
        },
        error => {
          if (!gone) setDrawn(before => ({ ...before, problem: String(error?.message ?? error) }))
        },
      )
    }, restMs)
    return () => {
      gone = true
      clearTimeout(timer)
    }
  }, [source, dark])
  useEffect(() => () => URL.revokeObjectURL(drawn.url ?? ''), [drawn.url])
  return drawn
}
