import type { HLJSApi } from 'highlight.js'
import { paint, type ThemeRole } from '../../text/theme.ts'

const aliases: Readonly<Record<string, string>> = {
  ts: 'typescript',
  tsx: 'typescript',
  mts: 'typescript',
  js: 'javascript',
  jsx: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  py: 'python',
  rb: 'ruby',
  rs: 'rust',
  sh: 'bash',
  shell: 'bash',
  zsh: 'bash',
  console: 'bash',
  yml: 'yaml',
  toml: 'ini',
  html: 'xml',
  md: 'markdown',
  'c++': 'cpp',
  cs: 'csharp',
  kt: 'kotlin',
  patch: 'diff',
  jsonc: 'json',
  docker: 'dockerfile',
}
const roles: Readonly<Record<string, ThemeRole>> = {
  keyword: 'keyword',
  built_in: 'keyword',
  type: 'keyword',
  literal: 'keyword',
  'selector-tag': 'keyword',
  string: 'string',
  regexp: 'string',
  number: 'number',
  comment: 'quiet',
  meta: 'quiet',
  title: 'name',
  attr: 'name',
  name: 'name',
  property: 'name',
  section: 'name',
  addition: 'added',
  deletion: 'removed',
}

let library: HLJSApi | undefined
/** Languages that are loaded, are not to be had, or are on their way. */
const languages = new Map<string, 'loading' | 'ready' | 'missing'>()

const nameOf = (language: string): string => aliases[language.toLowerCase()] ?? language.toLowerCase()

/** Languages of code blocks in a Markdown text that have still to be loaded. */
export function missingLanguages(text: string): readonly string[] {
  const named = [...text.matchAll(/^[ >]*(?:```+|~~~+)[ \t]*([\w+#-]+)/gm)].map(([, name = '']) => nameOf(name))
  return [...new Set(named)].filter(name => !languages.has(name) || languages.get(name) === 'loading')
}

/** Loads what colours a language. One that does not exist is shown without colours. */
export async function loadLanguage(name: string): Promise<void> {
  if (languages.has(name)) return
  languages.set(name, 'loading')
  try {
    if (!/^[a-z0-9-]+$/.test(name)) throw new Error(name)
    library ??= (await import('highlight.js/lib/core')).default
    library.registerLanguage(name, (await import(`highlight.js/lib/languages/${name}`)).default)
    languages.set(name, 'ready')
  } catch {
    languages.set(name, 'missing')
  }
}

/** Code in lines, with the colours of its language where that is loaded. */
export function highlightCode(code: string, language: string): readonly string[] {
  const name = nameOf(language)
  if (!library || languages.get(name) !== 'ready') return code.split('\n')
  return readSpans(library.highlight(code, { language: name, ignoreIllegals: true }).value).split('\n')
}

const entities: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
  '&amp;': '&',
}

/** The library gives HTML: spans, one inside the other, and escaped text. A colour never goes over the end of a line. */
function readSpans(html: string): string {
  const open: (ThemeRole | undefined)[] = []
  let out = ''
  for (const [whole, kind] of html.matchAll(/<span class="hljs-([\w-]+)[^"]*">|<\/span>|[^<]+/g)) {
    if (kind !== undefined) open.push(roles[kind] ?? open.at(-1))
    else if (whole === '</span>') open.pop()
    else {
      const text = whole.replace(/&(?:lt|gt|quot|#x27|amp);/g, entity => entities[entity] ?? entity)
      const role = open.at(-1)
      out += role ? text.replace(/[^\n]+/g, part => paint(role, part)) : text
    }
  }
  return out
}
