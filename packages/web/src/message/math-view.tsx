import { memo, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import type { Formula } from '../markdown/mark-math.ts'

type Typeset = (formula: Formula, element: HTMLElement) => void

let typeset: Typeset | undefined

/** A formula of a message. KaTeX is loaded with the first one; until then, and where it has a mistake, its TeX is shown. */
export const MathView = memo(function MathView({ tex, display }: Formula): ReactNode {
  const element = useRef<HTMLSpanElement>(null)
  const [failed, fail] = useState(false)
  useLayoutEffect(() => {
    let gone = false
    const draw = (how: Typeset) => {
      if (gone || !element.current) return
      try {
        how({ tex, display }, element.current)
      } catch {
        fail(true)
      }
    }
    if (typeset) draw(typeset)
    else
      import('./typeset.ts').then(
        loaded => {
          typeset = loaded.typeset
          draw(typeset)
        },
        () => fail(true),
      )
    return () => {
      gone = true
    }
  }, [tex, display])
  if (failed) return <code className="inline-code">{tex}</code>
  return <MathSpan key={tex} display={display} element={element} tex={tex} />
})

interface SpanProps extends Formula {
  readonly element: React.RefObject<HTMLSpanElement | null>
}

/** KaTeX owns the inside of the span: React never draws it again. */
const MathSpan = memo(
  function MathSpan({ tex, display, element }: SpanProps): ReactNode {
    return (
      <span ref={element} className={display ? 'math display' : 'math'} {...(display ? { tabIndex: 0 } : {})}>
        {tex}
      </span>
    )
  },
  () => true,
)
