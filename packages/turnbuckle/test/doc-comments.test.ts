import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { doors } from '../../../scripts/doors.ts'
import { root } from './bundle-program.ts'

const library = join(root, 'packages/turnbuckle')
const source = join(library, 'src')

const config = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile)
const { options } = ts.parseJsonConfigFileContent({ ...config.config, include: [] }, ts.sys, root)
const doorFiles = Object.entries(doors).map(([door, path]) => [door, join(library, path)] as const)
const program = ts.createProgram(
  doorFiles.map(([, file]) => file),
  { ...options, noEmit: true },
)
const checker = program.getTypeChecker()

/** The names that a door exports, as they are declared in the library. */
function exportsOf(file: string): ts.Symbol[] {
  const door = program.getSourceFile(file)
  const module = door && checker.getSymbolAtLocation(door)
  if (!module) throw new Error(`${file} is no module.`)
  return checker
    .getExportsOfModule(module)
    .map(name => (name.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(name) : name))
    .filter(name => name.declarations?.some(isOurs))
}

const isOurs = (node: ts.Node): boolean => node.getSourceFile().fileName.startsWith(source)
const isPrivate = (node: ts.Declaration): boolean =>
  ts.isClassElement(node) && node.name !== undefined && ts.isPrivateIdentifier(node.name)

/** Members that an editor offers, inherited ones included. */
function membersOf(name: ts.Symbol): ts.Symbol[] {
  if (!(name.flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.Class))) return []
  return checker
    .getDeclaredTypeOfSymbol(name)
    .getProperties()
    .filter(({ declarations = [] }) => declarations.some(node => isOurs(node) && !isPrivate(node)))
}

/** Interfaces that contexts are put together from, which no door exports. */
const parts = ['hooks/hook-types', 'hooks/stage-fields'].flatMap(name => {
  const file = program.getSourceFile(join(source, 'core', `${name}.ts`))
  return [...(file?.statements ?? [])].flatMap(statement => {
    const symbol = ts.isInterfaceDeclaration(statement) && checker.getSymbolAtLocation(statement.name)
    return symbol ? [symbol] : []
  })
})

const hasComment = (symbol: ts.Symbol): boolean => symbol.getDocumentationComment(checker).length > 0

/** Rows of stores and of the wire: data that has a page of its own (events.md, durability.md, openapi.json). */
const rows = new Set([
  ...['AskedRequest', 'Attachment', 'ConversationState', 'ConversationSummary', 'ConversationView', 'ClosedRequest'],
  ...[
    'HookFigures',
    'LiveCall',
    'LiveMessage',
    'LogFacts',
    'NewTurn',
    'Queued',
    'SearchHit',
    'SocketLike',
    'StoredPermission',
  ],
  ...['TurnTag', 'WireCall', 'WireChange', 'WireConversation', 'WireMiddleware', 'WireNode', 'WireRequest'],
  ...['WireTrace', 'WireTurn', 'WrittenCall', 'PortableConversation', 'PortableNode', 'Commit', 'ConversationRow'],
  ...[
    'Hit',
    'ListAsked',
    'LogRecord',
    'NodeRow',
    'RequestRow',
    'RequestsAsked',
    'SearchAsked',
    'TurnRow',
    'TurnsAsked',
  ],
])

test.each(doorFiles)('every name of the door %s has a doc comment', (_door, file) => {
  expect(
    exportsOf(file)
      .filter(name => !hasComment(name))
      .map(({ name }) => name),
  ).toEqual([])
})

const undocumented = (owner: ts.Symbol): string[] =>
  membersOf(owner)
    .filter(member => !hasComment(member))
    .map(({ name }) => `${owner.name}.${name}`)

test.each(doorFiles)('every option and method of the door %s has a doc comment', (_door, file) => {
  expect(
    exportsOf(file)
      .filter(({ name }) => !rows.has(name))
      .flatMap(undocumented),
  ).toEqual([])
})

test('every hook and every member of a context has a doc comment', () => {
  expect(parts.length).toBeGreaterThan(5)
  expect(parts.flatMap(undocumented)).toEqual([])
})
