import {
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  completionKeymap,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { javascript, javascriptLanguage } from '@codemirror/lang-javascript'
import { bracketMatching, indentOnInput, syntaxHighlighting, syntaxTree } from '@codemirror/language'
import { lintGutter, setDiagnostics } from '@codemirror/lint'
import { Compartment, EditorState, StateEffect, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, keymap, lineNumbers } from '@codemirror/view'
import type { Problem } from '../run/protocol.ts'
import { words } from './completions.ts'
import { codeColours, editorTheme } from './editor-theme.ts'

/** The editor of one file at a time. */
export interface Editor {
  setText(text: string, label: string): void
  /** Marks the lines (from 1) of hooks that run now. */
  light(lines: readonly number[]): void
  setProblems(problems: readonly Problem[]): void
  goTo(line: number): void
  /** The line of the first place that is no TypeScript, where there is one. */
  readonly brokenLine: number | undefined
  destroy(): void
}

interface Given {
  readonly parent: HTMLElement
  readonly text: string
  readonly label: string
  onChange(text: string): void
  onRun(): void
}

const setLit = StateEffect.define<readonly number[]>()
const lit = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, { state, effects, changes }) {
    const effect = effects.find(one => one.is(setLit))
    if (!effect) return marks.map(changes)
    const lines = (effect.value as readonly number[]).filter(line => line <= state.doc.lines)
    const mark = Decoration.line({ class: 'cm-lit' })
    return Decoration.set(
      lines.map(line => mark.range(state.doc.line(line).from)),
      true,
    )
  },
  provide: field => EditorView.decorations.from(field),
})

const complete = (context: CompletionContext): CompletionResult | null => {
  const word = context.matchBefore(/[\w.]+/)
  if (!word || (word.text.length < 3 && !context.explicit)) return null
  return { from: word.from + word.text.lastIndexOf('.') + 1, options: words(word.text), validFor: /^\w*$/ }
}

const extensions = ({ onChange, onRun }: Given) => [
  lineNumbers(),
  EditorView.lineWrapping,
  history(),
  indentOnInput(),
  bracketMatching(),
  javascript({ typescript: true }),
  javascriptLanguage.data.of({ autocomplete: complete }),
  autocompletion(),
  syntaxHighlighting(codeColours),
  editorTheme,
  lintGutter(),
  lit,
  // Tab leaves the editor, as everywhere on the page.
  keymap.of([
    {
      key: 'Mod-Enter',
      run: () => {
        onRun()
        return true
      },
    },
    ...completionKeymap,
    ...defaultKeymap,
    ...historyKeymap,
  ]),
  EditorView.updateListener.of(({ docChanged, state, transactions }) => {
    if (docChanged && !transactions.some(one => one.isUserEvent('open'))) onChange(state.doc.toString())
  }),
]

export function createEditor(given: Given): Editor {
  const name = new Compartment()
  const named = (label: string) => EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' })
  const view = new EditorView({
    parent: given.parent,
    state: EditorState.create({ doc: given.text, extensions: [extensions(given), name.of(named(given.label))] }),
  })
  return {
    setText(text, label) {
      view.dispatch({ effects: name.reconfigure(named(label)) })
      if (text === view.state.doc.toString()) return
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, userEvent: 'open' })
    },
    light: lines => view.dispatch({ effects: setLit.of(lines) }),
    setProblems(problems) {
      const marked = problems.flatMap(problem => diagnostic(view.state, problem))
      view.dispatch(setDiagnostics(view.state, marked))
    },
    goTo(line) {
      const { from } = view.state.doc.line(Math.min(line, view.state.doc.lines))
      view.dispatch({ selection: { anchor: from }, scrollIntoView: true })
      view.focus()
    },
    get brokenLine() {
      let found: number | undefined
      syntaxTree(view.state).iterate({
        enter: node => {
          if (node.type.isError) found ??= view.state.doc.lineAt(node.from).number
        },
      })
      return found
    },
    destroy: () => view.destroy(),
  }
}

function diagnostic(state: EditorState, { message, line, column }: Problem) {
  if (line === undefined || line > state.doc.lines) return []
  const { from, to } = state.doc.line(line)
  return [{ from: Math.min(from + Math.max(0, (column ?? 1) - 1), to), to, severity: 'error' as const, message }]
}
