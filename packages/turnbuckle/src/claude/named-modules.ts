/** Quoted texts of the arguments of a call. */
const quoted = /['"`]([^'"`$\n]+)['"`]/g
/** `path.join(__dirname, 'lib', 'util')`: the texts make one path. */
const joins = /\b(?:join|resolve)\(([^()]*(?:\([^()]*\)[^()]*)*)\)/g
const requireRelative = /\brequire_relative\s*\(?\s*['"]([^'"]+)['"]/g
const pythonFrom = /^[ \t]*from[ \t]+(\.*)([\w.]*)[ \t]+import[ \t]+(?:\(([^)]*)\)|([^\n#]*))/gm
const pythonImport = /^[ \t]*import[ \t]+([\w., \t]+)/gm
const pythonModule = /(?:^|\s)-m[ \t]+([\w.]+)/g

/** Signs of a load whose file's name is worked out while the program runs. */
const computed: readonly RegExp[] = [
  /\b(?:require|import)\s*\(\s*(?!\s)(?!['"`][^'"`$]*['"`]\s*[,)])/,
  /\b(?:__import__|import_module|spec_from_file_location|run_path|run_module)\b/,
  /(?:^|[\s;&|])(?:source|\.)[ \t]+["']?\$/m,
]

/** True where a script loads files by names that it computes. */
export const computesLoads = (text: string): boolean => computed.some(sign => sign.test(text))

/** Paths of modules that a text loads, as languages write them: without the end of the file's name, or by dots. From the text's own folder. */
export function namedModules(text: string): readonly string[] {
  const joined = [...text.matchAll(joins)].map(([, args = '']) =>
    [...args.matchAll(quoted)].map(([, part]) => part).join('/'),
  )
  const ruby = [...text.matchAll(requireRelative)].map(([, path = '']) => path)
  return [...joined, ...ruby, ...pythonModules(text)].filter(path => path !== '')
}

function pythonModules(text: string): readonly string[] {
  const from = [...text.matchAll(pythonFrom)].flatMap(([, dots = '', module = '', several, one = '']) => {
    const up = '../'.repeat(Math.max(0, dots.length - 1))
    const base = up + pathOf(module)
    return [base, ...namesIn(several ?? one).map(name => (module ? `${base}/${name}` : up + name))]
  })
  const imported = [...text.matchAll(pythonImport)].flatMap(([, names = '']) => namesIn(names).map(pathOf))
  const run = [...text.matchAll(pythonModule)].map(([, module = '']) => pathOf(module))
  return [...from, ...imported, ...run].flatMap(withFolders)
}

/** A package is loaded before what is in it: `a/b/c` loads `a` and `a/b`. */
const withFolders = (path: string): readonly string[] =>
  [...path.matchAll(/\w(?=\/)|$/g)].map(({ index }) => path.slice(0, index + 1))

const pathOf = (module: string): string => module.replaceAll('.', '/')

/** `a as b, c` has a and c. */
const namesIn = (list: string): readonly string[] =>
  list.split(',').flatMap(
    entry =>
      entry
        .trim()
        .split(/\s+/)[0]
        ?.match(/^[\w.]+$/) ?? [],
  )
