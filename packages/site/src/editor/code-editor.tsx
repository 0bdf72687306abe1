import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Problem } from '../run/protocol.ts'
import type { Editor } from './create-editor.ts'

interface Given {
  readonly text: string
  readonly label: string
  readonly lit: readonly number[]
  readonly problems: readonly Problem[]
  /** A line to go to; a new object goes there again. */
  readonly goTo: { readonly line: number } | undefined
  onChange(text: string): void
  onRun(): void
}

/** CodeMirror, loaded when the page stands; a plain text box until then, and where it does not load. */
export function CodeEditor(given: Given): ReactNode {
  const { text, label, lit, problems, goTo } = given
  const latest = useRef(given)
  latest.current = given
  const place = useRef<HTMLDivElement>(null)
  const [editor, setEditor] = useState<Editor>()

  useEffect(() => {
    let made: Editor | undefined
    let isGone = false
    void import('./create-editor.ts').then(({ createEditor }) => {
      if (isGone || !place.current) return
      made = createEditor({
        parent: place.current,
        text: latest.current.text,
        label: latest.current.label,
        onChange: changed => latest.current.onChange(changed),
        onRun: () => latest.current.onRun(),
      })
      setEditor(made)
    })
    return () => {
      isGone = true
      made?.destroy()
    }
  }, [])
  useEffect(() => editor?.setText(text, label), [editor, text, label])
  useEffect(() => editor?.light(lit), [editor, lit])
  useEffect(() => editor?.setProblems(withLine(editor, problems)), [editor, problems])
  useEffect(() => {
    if (goTo) editor?.goTo(goTo.line)
  }, [editor, goTo])

  return (
    <div className="code-editor" ref={place}>
      {!editor && (
        <textarea
          aria-label={label}
          value={text}
          spellCheck={false}
          onChange={event => given.onChange(event.target.value)}
        />
      )}
    </div>
  )
}

/** A mistake that the engine gave no place for is where the parser of the editor stumbles. */
const withLine = (editor: Editor, problems: readonly Problem[]): Problem[] =>
  problems.map(problem => {
    const line = problem.line ?? editor.brokenLine
    return line === undefined ? problem : { ...problem, line }
  })
