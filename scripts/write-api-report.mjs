/**
 * npm run api [-- --check]
 *
 * Writes the public names of the library with their types into packages/turnbuckle/api/, one page per entry point, so that a
 * review sees each change to them. `--check` writes nothing and names the pages that are old.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { ensureBuilt } from './ensure-built.mjs'

const library = fileURLToPath(new URL('../packages/turnbuckle', import.meta.url))
const folder = join(library, 'api')
const printer = ts.createPrinter({ removeComments: true })

function writePages() {
  const { exports } = JSON.parse(readFileSync(join(library, 'package.json'), 'utf8'))
  const doors = Object.entries(exports).filter(([, file]) => file.endsWith('.js'))
  const typesOf = file => join(library, file.replace(/\.js$/, '.d.ts'))
  const program = ts.createProgram(
    doors.map(([, file]) => typesOf(file)),
    {
      module: ts.ModuleKind.NodeNext,
      target: ts.ScriptTarget.ES2023,
      skipLibCheck: true,
      noEmit: true,
      types: ['node'],
    },
  )
  return new Map(doors.map(([door, file]) => [pageName(door), pageOf(program, door, typesOf(file))]))
}

const pageName = door => `${door === '.' ? 'index' : door.slice(2)}.md`

function pageOf(program, door, file) {
  const checker = program.getTypeChecker()
  const module = checker.getSymbolAtLocation(program.getSourceFile(file))
  const names = checker.getExportsOfModule(module).sort((a, b) => (a.name < b.name ? -1 : 1))
  const lines = names.flatMap(symbol => declarationsOf(checker, symbol))
  const title = `turnbuckle${door.slice(1)}`
  return `# \`${title}\`\n\nWritten by \`npm run api\` from the types: every public name, for reviews.\n\n\`\`\`ts\n${lines.join('\n')}\n\`\`\`\n`
}

function declarationsOf(checker, symbol) {
  const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
  const declarations = (target.declarations ?? []).filter(isOurs)
  if (!declarations.length) return [`export ${symbol.name}`]
  return declarations.map(each => {
    const node = ts.isVariableDeclaration(each) ? each.parent.parent : each
    const printed = printer.printNode(ts.EmitHint.Unspecified, node, node.getSourceFile())
    // The bundler numbers names that two of its files have.
    const text = printed.replace(/\b(\w+)\$\d+\b/g, '$1').replace(/^(export )?(declare )?/, 'export ')
    return target.name.replace(/\$\d+$/, '') === symbol.name ? text : `// as ${symbol.name}\n${text}`
  })
}

const isOurs = declaration => declaration.getSourceFile().fileName.startsWith(library)

function save(pages) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  for (const [name, page] of pages) writeFileSync(join(folder, name), page)
}

function check(pages) {
  const kept = new Set(readdirSync(folder))
  const isOld = ([name, page]) => !kept.has(name) || readFileSync(join(folder, name), 'utf8') !== page
  const old = [...pages].filter(isOld).map(([name]) => name)
  const left = [...kept].filter(name => !pages.has(name))
  if (!old.length && !left.length) return
  process.stderr.write(`packages/turnbuckle/api is old: ${[...old, ...left].join(', ')}. Run: npm run api\n`)
  process.exitCode = 1
}

await ensureBuilt()
const pages = writePages()
if (process.argv.includes('--check')) check(pages)
else save(pages)
