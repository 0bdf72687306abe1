import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const root = fileURLToPath(new URL('..', import.meta.url))
const page = join(root, 'docs/events.md')
const mark = '<!-- From here on written by `npm run events`, from the types. -->\n'

const file = name => join(root, 'packages/turnbuckle/src', name)
const sources = {
  events: file('core/events/events.ts'),
  readyMade: file('core/events/ready-made-events.ts'),
  wire: file('client/wire.ts'),
  client: file('client/create-client.ts'),
  message: file('core/base/message.ts'),
  ports: file('core/base/ports.ts'),
  span: file('core/hooks/span.ts'),
}

function readTypes() {
  const config = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent({ ...config.config, include: [] }, ts.sys, root)
  const program = ts.createProgram(Object.values(sources), { ...options, noEmit: true })
  const checker = program.getTypeChecker()
  const declared = (source, name) =>
    program.getSourceFile(source).statements.find(statement => statement.name?.text === name)
  return { checker, declared }
}
const { checker, declared } = readTypes()

const oneLine = text => text.replace(/\s+/g, ' ').trim()
const docOf = symbol => oneLine(ts.displayPartsToString(symbol?.getDocumentationComment(checker)))

/** The members of a union type, each with the doc comment and the line comment in front of its bar. */
function readUnion(source, name) {
  const { type } = declared(source, name)
  const text = type.getSourceFile().text
  return type.types.map((node, i) => {
    const before = text.slice(type.types[i - 1]?.end ?? type.pos, node.getStart())
    const doc = /\/\*\*([\s\S]*?)\*\//.exec(before)?.[1].replace(/^ *\*/gm, '') ?? ''
    const member = checker.getTypeFromTypeNode(node)
    return { member, section: /^ *\/\/ (.+)$/m.exec(before)?.[1], doc: oneLine(doc) || docOf(member.symbol) }
  })
}

const union = type => (type.isUnion() ? type.types : [type])
const isAbsent = type => Boolean(type.flags & ts.TypeFlags.Undefined)
/** Kept as text: JSON has no bytes and no addresses. */
const isText = type => ['Uint8Array', 'URL'].includes(type.symbol?.name)
/** Types with a section of their own, by the names that the code has for them. */
const shapes = {
  Message: 'Message',
  Part: 'Part',
  Usage: 'Usage',
  ConversationSummary: 'ConversationSummary',
  OpenSpan: 'Span',
  WireSpan: 'EndedSpan',
}

/** A type as a reader of JSON sees it. Sorted where it is a choice: the order that the compiler has is not of the source. */
function jsonType(type) {
  if (type.flags & ts.TypeFlags.Unknown) return 'any'
  const shape = shapes[(type.aliasSymbol ?? type.symbol)?.name]
  if (shape) return shape
  const element = checker.isArrayType(type) && checker.getTypeArguments(type)[0]
  if (element) return `${jsonType(element)}[]`
  if (type.isStringLiteral()) return JSON.stringify(type.value)
  if (type.flags & ts.TypeFlags.Boolean) return 'boolean'
  if (type.isUnion()) {
    const types = type.types.filter(each => !isAbsent(each) && !isText(each)).map(jsonType)
    return [...new Set(types)].sort().join(' | ').replace('false | true', 'boolean')
  }
  if (!(type.flags & ts.TypeFlags.Object)) return checker.typeToString(type)
  const members = fieldsOf(type).map(toMember)
  return members.length ? `{ ${members.join(', ')} }` : 'object'
}

/** A field that is always there but may have no value is `null` on the wire. */
function fieldsOf(type) {
  const fields = type.getProperties().map(symbol => {
    const of = checker.getTypeOfSymbol(symbol)
    const optional = Boolean(symbol.flags & ts.SymbolFlags.Optional)
    const empty = !optional && union(of).some(isAbsent) ? ' | null' : ''
    return { name: symbol.name, optional, type: `${jsonType(of)}${empty}`, doc: docOf(symbol) }
  })
  const isUsage = ({ name }) => usageNames.has(name)
  if (type === usage || fields.filter(isUsage).length < usageNames.size) return fields
  return [...fields.filter(field => !isUsage(field)), { name: '…', doc: 'The fields of Usage.' }]
}
const usage = checker.getTypeAtLocation(declared(sources.ports, 'Usage'))
const usageNames = new Set(usage.getProperties().map(({ name }) => name))
const toMember = ({ name, optional, type }) => (type ? `"${name}"${optional ? '?' : ''}: ${type}` : name)

/** The wire form: on one line where it fits and no field has a comment. */
function toJson(fields) {
  const members = fields.map(toMember)
  const line = `{ ${members.join(', ')} }`
  const isShort = line.length <= 118 && fields.every(({ doc }) => !doc)
  const lines = members.flatMap((member, i) => {
    const comment = fields[i].doc ? [`  // ${fields[i].doc}`] : []
    return [...comment, `  ${member}${i === members.length - 1 ? '' : ','}`]
  })
  return ['```jsonc', ...(isShort ? [line] : ['{', ...lines, '}']), '```', ''].join('\n')
}

function writeEvent({ member, doc }) {
  const fields = fieldsOf(member)
  const names = union(checker.getTypeOfSymbol(member.getProperty('type')))
    .map(({ value }) => `\`${value}\``)
    .sort()
  const more = checker.getIndexInfosOfType(member).length ? [{ name: '…', doc: 'Any other fields.' }] : []
  return `### ${names.join(', ')}\n\n${doc}\n\n${toJson([...fields, ...more])}`
}

const writeUnion = members =>
  members.map(each => `${each.section ? `## ${each.section}\n\n` : ''}${writeEvent(each)}`).join('\n')

function writeReadyMade() {
  const type = checker.getTypeAtLocation(declared(sources.readyMade, 'ReadyMadeEvents'))
  return type.getProperties().map(symbol => {
    const fields = fieldsOf(checker.getTypeOfSymbol(symbol))
    return `### \`${symbol.name}\`\n\n${docOf(symbol)}\n\n${toJson([{ name: 'type', type: `"${symbol.name}"`, doc: '' }, ...fields])}`
  })
}

function writeShape(source, name, heading = name) {
  const type = checker.getTypeAtLocation(declared(source, name))
  return `### ${heading}\n\n${docOf(type.aliasSymbol ?? type.symbol)}\n\n${toJson(fieldsOf(type))}`
}

function writeParts() {
  const parts = union(checker.getTypeAtLocation(declared(sources.message, 'Part')))
  const forms = parts.map(part => `${docOf(part.symbol)}\n\n${toJson(fieldsOf(part))}`)
  return `### Part\n\n${forms.join('\n')}`
}

/** The generated part of docs/events.md. */
function writeReference() {
  const stamp = toJson(fieldsOf(checker.getTypeAtLocation(declared(sources.events, 'Stamp'))))
  return [
    `## Fields that every event has\n\n${stamp}`,
    writeUnion(readUnion(sources.events, 'EventBody')),
    '## Ready-made middleware and tools\n',
    ...writeReadyMade(),
    '## Told by the server alone\n',
    writeUnion(readUnion(sources.wire, 'WireEvent').slice(1)),
    '## Changes in the list of conversations\n\nThe frame `watch` of the socket brings these.\n',
    writeUnion(readUnion(sources.client, 'ListChange')),
    '## Shapes\n',
    writeShape(sources.message, 'Message'),
    writeParts(),
    writeShape(sources.ports, 'Usage'),
    writeShape(sources.wire, 'ConversationSummary'),
    writeShape(sources.span, 'OpenSpan', shapes.OpenSpan),
    writeShape(sources.span, 'Span', shapes.WireSpan),
  ].join('\n')
}

/** The whole page: what stands in front of the mark is written by hand. */
export function writeEventReference() {
  const [byHand] = readFileSync(page, 'utf8').split(mark)
  return `${byHand}${mark}\n${writeReference()}`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(page, writeEventReference())
