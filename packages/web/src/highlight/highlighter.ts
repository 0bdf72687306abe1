import { createCssVariablesTheme, createHighlighterCoreSync, type GrammarState } from '@shikijs/core'
import { createJavaScriptRegexEngine } from '@shikijs/engine-javascript'
import { loadGrammar } from './code-languages.ts'
import type { Highlight, Piece } from './paint-code.ts'

/** The engine in plain JavaScript: WebAssembly would need a looser policy of the server. */
const shiki = createHighlighterCoreSync({
  themes: [createCssVariablesTheme({ name: 'page', variablePrefix: '' })],
  langs: [],
  engine: createJavaScriptRegexEngine({ forgiving: true }),
})

/** A longer line is not coloured: it would take too long, and is no code that a person reads. */
const longestLine = 1000

/** Loads a grammar and gives the function that colours lines of its language. */
export async function loadHighlight(name: string): Promise<Highlight> {
  await shiki.loadLanguage(await loadGrammar(name))
  return (text, before) => {
    const lines = shiki.codeToTokensBase(text, {
      lang: name,
      theme: 'page',
      tokenizeMaxLineLength: longestLine,
      // A line that was given up half-way would keep one colour for good.
      tokenizeTimeLimit: 0,
      ...(before ? { grammarState: before as GrammarState } : {}),
    })
    return { lines: lines.map(pieces), after: shiki.getLastGrammarState(lines) }
  }
}

/** Shiki's colour is a CSS variable, such as `var(--token-string)`: its name becomes the class of the piece. */
const pieces = (line: readonly { readonly content: string; readonly color?: string }[]): Piece[] =>
  line.map(({ content, color }) => {
    const kind = /token-([\w-]+)/.exec(color ?? '')?.[1]
    return kind ? { text: content, kind } : { text: content }
  })
