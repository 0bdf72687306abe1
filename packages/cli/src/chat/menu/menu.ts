import type { Editor } from '../editor/editor.ts'

export interface MenuItem {
  /** Shown, and put into the input in place of what was written of it. */
  readonly text: string
  readonly does: string
}

/** Things that the word before the cursor may mean: slash commands, or files after an `@`. */
export interface Menu {
  readonly kind: 'command' | 'file'
  readonly items: readonly MenuItem[]
  /** The chosen one. */
  readonly at: number
  /** Where the word begins that a choice replaces. */
  readonly from: number
}

export interface MenuSources {
  readonly commands: readonly MenuItem[]
  /** Files of the project whose path fits, the best first. */
  files(query: string): readonly string[]
}

/** The menu for what is written; undefined where it means nothing. */
export function menuFor({ text, cursor }: Pick<Editor, 'text' | 'cursor'>, sources: MenuSources): Menu | undefined {
  const before = text.slice(0, cursor)
  if (/^\/[\w:-]*$/.test(text) && cursor === text.length) {
    const items = commandsLike(sources.commands, before)
    return items.length ? { kind: 'command', items, at: 0, from: 0 } : undefined
  }
  const [, query] = /(?:^|\s)@([^\s"]*)$/.exec(before) ?? []
  if (query === undefined) return undefined
  const items = sources.files(query).map(text => ({ text, does: '' }))
  return items.length ? { kind: 'file', items, at: 0, from: cursor - query.length - 1 } : undefined
}

/** Those that begin like it, then those that have it somewhere. */
function commandsLike(commands: readonly MenuItem[], begun: string): readonly MenuItem[] {
  const begins = commands.filter(({ text }) => text.startsWith(begun))
  const word = begun.slice(1)
  return word.length < 2
    ? begins
    : [...begins, ...commands.filter(({ text }) => !text.startsWith(begun) && text.includes(word))]
}

/** Moves the choice, round at the ends. */
export const moveChoice = (menu: Menu, by: 1 | -1): Menu => ({
  ...menu,
  at: (menu.at + by + menu.items.length) % menu.items.length,
})

/** The text with the choice in the place of the word. */
export function takeChoice(
  { text, cursor }: Pick<Editor, 'text' | 'cursor'>,
  menu: Menu,
): { readonly text: string; readonly cursor: number } {
  const chosen = menu.items[menu.at]?.text ?? ''
  const put = menu.kind === 'command' ? `${chosen} ` : `${fileMark(chosen)} `
  return { text: text.slice(0, menu.from) + put + text.slice(cursor).replace(/^ /, ''), cursor: menu.from + put.length }
}

/** `@src/a.ts`; with quotation marks where the path has blanks. */
export const fileMark = (path: string): string => (/\s/.test(path) ? `@"${path}"` : `@${path}`)
