import { type ReactNode, useMemo, useState } from 'react'
import type { Scene } from '../play/scene.ts'
import type { Play } from '../play/use-play.ts'
import { type FileName, type Files, fileNames, type Problem } from '../run/protocol.ts'
import { CodeEditor } from './code-editor.tsx'
import { hookLine } from './hook-lines.ts'
import { ShareButton } from './share-button.tsx'

/** The left half: two files, the mistakes in them, and what they print. */
export function EditorPanel({ play, onRun }: { readonly play: Play; readonly onRun: () => void }): ReactNode {
  const [file, setFile] = useState<FileName>('hook.ts')
  const [goTo, setGoTo] = useState<{ readonly line: number }>()
  const { scene } = play.moment
  const lit = useLitLines(play.files, file, scene)
  const problems = useMemo(() => scene.problems.filter(one => one.file === file), [scene.problems, file])
  const open = (name: FileName, line?: number) => {
    setFile(name)
    setGoTo(line === undefined ? undefined : { line })
  }
  return (
    <section className="panel editor-panel" aria-label="Code">
      <div className="panel-bar">
        <fieldset className="files" aria-label="Files">
          {fileNames.map(name => (
            <button key={name} type="button" aria-pressed={name === file} onClick={() => open(name)}>
              {name}
            </button>
          ))}
        </fieldset>
        {play.changed && (
          <button type="button" className="link" onClick={play.reset}>
            Reset
          </button>
        )}
        <ShareButton share={play.share} />
      </div>
      <CodeEditor
        // An editor of its own for each file: undo does not bring the text of another.
        key={`${play.scenario.id} ${file}`}
        text={play.files[file]}
        label={`Code of ${file}`}
        lit={lit}
        problems={problems}
        goTo={goTo}
        onChange={text => play.edit(file, text)}
        onRun={onRun}
      />
      <Notes scene={scene} onShow={problem => problem.file && open(problem.file, problem.line)} />
    </section>
  )
}

function useLitLines(files: Files, file: FileName, { open }: Scene): readonly number[] {
  return useMemo(
    () =>
      [...open.values()].flatMap(({ by, at }) => {
        const found = by && at ? hookLine(files, { by, at }) : undefined
        return found?.file === file ? [found.line] : []
      }),
    [files, file, open],
  )
}

/** Mistakes first, each a way to its line; then what the code has printed. */
function Notes({ scene, onShow }: { readonly scene: Scene; readonly onShow: (problem: Problem) => void }): ReactNode {
  const { problems, prints } = scene
  if (!problems.length && !prints.length) return null
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keyboard
    <div className="notes" role="log" aria-label="Notes" tabIndex={0}>
      {problems.map((problem, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: notes are only ever added
        <p key={i} className="problem">
          {problem.file && (
            <button type="button" className="link" onClick={() => onShow(problem)}>
              {problem.file}
              {problem.line ? `:${problem.line}` : ''}
            </button>
          )}{' '}
          {problem.message}
        </p>
      ))}
      {prints.map((text, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: notes are only ever added
        <p key={i}>{text}</p>
      ))}
    </div>
  )
}
