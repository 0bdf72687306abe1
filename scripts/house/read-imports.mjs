import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const root = fileURLToPath(new URL('../..', import.meta.url))
const library = 'packages/turnbuckle/src'

/** The room of a source file: a folder of core (`core/turn`), a folder of the library, or a package. `createAgent` is above the folders. */
function roomOf(path) {
  const [, pack, , folder, inner] = path.split('/')
  if (pack !== 'turnbuckle') return pack
  if (folder === 'core') return `core/${inner}`
  return folder.endsWith('.ts') ? 'createAgent' : folder
}

const packages = () =>
  readdirSync(join(root, 'packages')).filter(name => existsSync(join(root, 'packages', name, 'src')))

const sources = () =>
  packages().flatMap(pack =>
    readdirSync(join(root, 'packages', pack, 'src'), { recursive: true })
      .filter(file => /[.]tsx?$/.test(file) && !/[.]test(-d)?[.]tsx?$/.test(file))
      .map(file => `packages/${pack}/src/${file.replaceAll('\\', '/')}`),
  )

/** The file that a module's name leads to; none for a package that is not ours. */
function fileOf(from, name) {
  if (name.startsWith('.')) return relative(root, resolve(root, dirname(from), name)).replaceAll('\\', '/')
  const [, pack, door] = /^(?:@turnbuckle[/](server|restate)|turnbuckle(?:[/](.+))?)$/.exec(name) ?? ['none']
  if (pack) return `packages/${pack}/src/index.ts`
  const places = door ? [`${library}/${door}.ts`, `${library}/${door}/index.ts`] : [`${library}/index.ts`]
  return places.find(file => name.startsWith('turnbuckle') && existsSync(join(root, file)))
}

const parsed = new Map()
function parse(file) {
  if (!parsed.has(file))
    parsed.set(file, ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest))
  return parsed.get(file)
}

/** A door only hands on what other files export. */
const isDoor = file =>
  file.startsWith(library) && parse(file).statements.every(one => ts.isExportDeclaration(one) && one.moduleSpecifier)

const namesIn = list =>
  list && 'elements' in list ? list.elements.map(one => (one.propertyName ?? one.name).text) : undefined

/** The imports of a file: the module's name, and the names taken from it; without those, all. */
function importsOf(file) {
  const found = []
  const visit = node => {
    if (ts.isImportDeclaration(node))
      found.push({ from: node.moduleSpecifier.text, names: namesIn(node.importClause?.namedBindings) })
    else if (ts.isExportDeclaration(node) && node.moduleSpecifier)
      found.push({ from: node.moduleSpecifier.text, names: namesIn(node.exportClause) })
    else if (
      ts.isCallExpression(node) &&
      node.expression.kind === ts.SyntaxKind.ImportKeyword &&
      ts.isStringLiteral(node.arguments[0])
    )
      found.push({ from: node.arguments[0].text })
    else if (ts.isImportTypeNode(node))
      found.push({ from: node.argument.literal.text, names: node.qualifier && [node.qualifier.text] })
    ts.forEachChild(node, visit)
  }
  visit(parse(file))
  return found
}

/** The rooms that names of a file come from, through as many doors as there are. */
function roomsBehind(file, names) {
  if (!isDoor(file)) return [roomOf(file)]
  const rooms = []
  for (const statement of parse(file).statements) {
    if (!ts.isExportDeclaration(statement) || !statement.moduleSpecifier) continue
    const handed = statement.exportClause?.elements ?? []
    const wanted = handed.filter(({ name }) => !names || names.includes(name.text))
    const target = fileOf(file, statement.moduleSpecifier.text)
    if (target && wanted.length)
      rooms.push(
        ...roomsBehind(
          target,
          wanted.map(one => (one.propertyName ?? one.name).text),
        ),
      )
  }
  return rooms
}

const roomsImportedBy = file =>
  importsOf(file).flatMap(({ from, names }) => {
    const target = fileOf(file, from)
    return target ? roomsBehind(target, names) : []
  })

/** The rooms that each room imports. */
export function readImports() {
  const imports = new Map()
  for (const file of sources().filter(one => !isDoor(one))) {
    const room = roomOf(file)
    const targets = roomsImportedBy(file).filter(target => target !== room)
    imports.set(room, new Set([...(imports.get(room) ?? []), ...targets]))
  }
  return imports
}
