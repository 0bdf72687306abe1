/** Quoted texts of the arguments of a call. */
const quoted = /['"`]([^'"`$\n]+)['"`]/g
/** `path.join(__dirname, 'lib', 'util')`: the texts make one path. */
const joins = /\b(?:join|resolve)\(([^()]*(?:\([^()]*\)[^()]*)*)\)/g
const requireRelative = /\brequire_relative(?:\s*\(\s*|\s*)['"]([^'"]+)['"]/g
/** Python's statements begin a line, or follow another one, a colon or the quote of `-c`. */
const pythonFrom = /(?:^|[;:'"])[ \t]*from[ \t]+(\.*)((?:\w[\w.]*)?)[ \t]+import[ \t]+(?:\\\r?\n[ \t]*)?/gm
/** Characters of a list of names that is read. */
const longestList = 2000
const pythonImport = /(?:^|[;:'"])[ \t]*import[ \t]+([\w., \t]+)/gm
const pythonModule = /(?:^|\s)-m[ \t]+([\w.]+)/g

/** The file or folder that an interpreter is given behind its options: `node scripts/check`, `python3 tools`. */
const interpreted =
  /(?:^|[\s;&|("'`/])(?:node|nodejs|bun|deno|tsx|ts-node|python[\d.]*|pypy[\d.]*|ruby|perl|php|lua)(?:[ \t]+(?:run|watch))?(?:[ \t]+(?:-[rIWX]|--(?:require|import|loader|experimental-loader|conditions|env-file))[ \t]+[^\s-]\S*|[ \t]+-\S*)*[ \t]+["']?([^\s"'`;&|()<>-][^\s"'`;&|()<>]*)/g
/** A path that begins with a dot and goes on with what is computed, or a whole one: `./rules/${name}`, `'../rules/' + name`. */
const dotted = /['"`](\.{1,2}\/[^'"`$\n]*)/g

/** Signs of a load whose file's name is worked out while the program runs. */
const computed: readonly RegExp[] = [
  /\b(?:require|import)\s*\(\s*(?!\s)(?!['"`][^'"`$]*['"`]\s*[,)])/,
  /\b(?:__import__|import_module|spec_from_file_location|run_path|run_module)\b/,
  /(?:^|[\s;&|])(?:source|\.)[ \t]+["']?\$/m,
]

/** True where a script loads files by names that it computes. */
export const computesLoads = (text: string): boolean => computed.some(sign => sign.test(text))

/** Paths of what a command has interpreters run, as they find it: without the end of the file's name, or as a folder. */
export const interpretedPaths = (text: string): readonly string[] =>
  [...text.matchAll(interpreted)].map(([, path = '']) => path.replace(/^\$\w+\/|^\$\{\w+\}\//, './'))

/** True where code loads by a name that its package.json gives (`imports`). */
export const namesSubpath = (text: string): boolean => /['"]#[\w@][^'"\n]*['"]/.test(text)

/** Folders whose modules a text loads by their names alone: those of its paths, where it changes the path of searching. */
export const searchedFolders = (text: string): readonly string[] =>
  /\bsys\.path\b|\bLOAD_PATH\b|\buse lib\b/.test(text)
    ? [...joinedPaths(text), ...[...text.matchAll(quoted)].map(([, path = '']) => path)]
    : []

/** Folders that the paths of a text begin with, for one that computes the rest: `./rules/${name}`. */
export const begunFolders = (text: string): readonly string[] => [
  ...joinedPaths(text),
  ...[...text.matchAll(dotted)].map(([, path = '']) => path.slice(0, path.lastIndexOf('/') + 1)),
]

/** Paths of modules that a text loads, as languages write them: without the end of the file's name, or by dots. From the text's own folder. */
export function namedModules(text: string): readonly string[] {
  const ruby = [...text.matchAll(requireRelative)].map(([, path = '']) => path)
  return [...new Set([...joinedPaths(text), ...ruby, ...pythonModules(text)])].filter(path => path !== '')
}

const joinedPaths = (text: string): readonly string[] =>
  [...text.matchAll(joins)].map(([, args = '']) => [...args.matchAll(quoted)].map(([, part]) => part).join('/'))

function pythonModules(text: string): readonly string[] {
  const from = [...text.matchAll(pythonFrom)].flatMap(({ 0: whole, 1: dots = '', 2: module = '', index }) => {
    const up = '../'.repeat(Math.max(0, dots.length - 1))
    const base = up + pathOf(module)
    return [base, ...namesIn(namesAt(text, index + whole.length)).map(name => (module ? `${base}/${name}` : up + name))]
  })
  const imported = [...text.matchAll(pythonImport)].flatMap(([, names = '']) => namesIn(names).map(pathOf))
  const run = [...text.matchAll(pythonModule)].map(([, module = '']) => pathOf(module))
  return [...from, ...imported, ...run].flatMap(withFolders)
}

/** The names that a statement imports: those in parentheses, or up to its end. */
function namesAt(text: string, at: number): string {
  const rest = text.slice(at, at + longestList)
  const end = rest.startsWith('(') ? rest.indexOf(')') : -1
  return end < 0 ? (/^[^\n#;'"]*/.exec(rest)?.[0] ?? '') : rest.slice(1, end)
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
