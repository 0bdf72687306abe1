import { HighlightStyle } from '@codemirror/language'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

/** The colours of the page, by day and by night: they are variables. */
export const editorTheme = EditorView.theme({
  '&': { height: '100%', color: 'var(--ink)', backgroundColor: 'transparent' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', fontSize: '0.8125rem', lineHeight: '1.65', overflow: 'auto' },
  '.cm-content': { padding: '0.75rem 0', caretColor: 'var(--brass)', fontVariantLigatures: 'none' },
  '.cm-cursor': { borderLeftColor: 'var(--brass)', borderLeftWidth: '2px' },
  '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--ink-faint)', border: 'none' },
  '.cm-gutter-lint': { width: '0.9rem' },
  '.cm-selectionBackground, &.cm-focused .cm-selectionBackground': { backgroundColor: 'var(--brass-soft) !important' },
  '.cm-matchingBracket': { backgroundColor: 'var(--sea-soft) !important' },
  '.cm-tooltip': {
    backgroundColor: 'var(--raised)',
    border: '1px solid var(--line-strong)',
    borderRadius: '7px',
    color: 'var(--ink)',
  },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--brass-soft)', color: 'var(--ink)' },
  '.cm-completionDetail': { color: 'var(--ink-soft)', fontStyle: 'normal', fontFamily: 'var(--sans)' },
})

export const codeColours = HighlightStyle.define([
  { tag: tags.comment, color: 'var(--ink-faint)', fontStyle: 'italic' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--sea)' },
  { tag: tags.regexp, color: 'var(--rust)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--rust)' },
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier], color: 'var(--brass)' },
  { tag: [tags.function(tags.variableName), tags.function(tags.propertyName)], color: 'var(--ocean)' },
  { tag: [tags.typeName, tags.className], color: 'var(--ocean)' },
  { tag: [tags.punctuation, tags.operator], color: 'var(--ink-soft)' },
])
