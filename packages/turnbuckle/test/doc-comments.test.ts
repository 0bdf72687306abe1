import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'

const source = join(import.meta.dirname, '../src')
/** Files whose exported interfaces are what a developer writes or reads: hooks, contexts, options. */
const files = [
  ...['hooks/hook-types', 'hooks/draft', 'hooks/stage-fields', 'types/tool-context', 'types/turn', 'types/middleware'],
  ...['types/conversation', 'types/agent-core', 'tools/tool', 'stages/stage', 'agent/agent-core'],
].map(name => join(source, 'core', `${name}.ts`))
const options = readdirSync(join(source, 'middleware'), { recursive: true, encoding: 'utf8' })
  .filter(file => file.endsWith('.ts') && !file.includes('.test'))
  .map(file => join(source, 'middleware', file))

/** Behind their handles: nobody outside the core holds these. */
const internal = new Set(['AgentCore', 'BuiltInStage', 'OwnStages'])

const isExported = (node: ts.InterfaceDeclaration): boolean =>
  node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false

/** Members of exported interfaces (of all, for `isWanted`) without a doc comment, as `File: Interface.member`. */
function undocumented(file: string, isWanted: (node: ts.InterfaceDeclaration) => boolean): string[] {
  const parsed = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true)
  const missing: string[] = []
  parsed.forEachChild(node => {
    if (!ts.isInterfaceDeclaration(node) || internal.has(node.name.text) || !isWanted(node)) return
    for (const member of node.members)
      if (member.name && !ts.getJSDocCommentsAndTags(member).length)
        missing.push(`${node.name.text}.${member.name.getText(parsed)}`)
  })
  return missing
}

test('every hook, member of a context and option of the core has a doc comment', () => {
  expect(files.flatMap(file => undocumented(file, isExported))).toEqual([])
})
test('every option of ready-made middleware has a doc comment', () => {
  expect(options.flatMap(file => undocumented(file, node => /Options$/.test(node.name.text)))).toEqual([])
})
