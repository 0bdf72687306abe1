// npm run docs: builds the documentation site into packages/site/dist. `-- --dev` serves it while you write: the pages, and the playground.
// DOCS_BASE is the folder it will be served from (/ by default), DOCS_REPOSITORY the address that links to files lead to.
import { spawn, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import library from '../packages/turnbuckle/package.json' with { type: 'json' }
import { deadAnchors } from './dead-anchors.mjs'
import { root } from './ensure-installed.mjs'

const site = join(root, 'packages/site')
const isDev = process.argv.includes('--dev')
const env = {
  ...process.env,
  DOCS_BASE: process.env.DOCS_BASE ?? '/',
  VITE_REPOSITORY: process.env.DOCS_REPOSITORY ?? '',
}

const bin = name => join(root, 'node_modules', name)
const vitepress = bin('vitepress/bin/vitepress.js')
const vite = bin('vite/bin/vite.js')

function run(args) {
  const { status } = spawnSync(process.execPath, args, { cwd: site, env, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

/** The reference: a page of Markdown for each door of the library, from its types. */
function writeReference() {
  const doors = Object.keys(library.exports).filter(door => door !== './package.json')
  run([bin('typedoc/bin/typedoc'), '--options', join(site, 'typedoc.json'), ...doors.map(entryPoint)])
  nameDoors()
}

/** typedoc names a page after its file: the root is `index-1`, the others lack the package's name. */
function nameDoors() {
  const folder = join(root, 'docs/api')
  renameSync(join(folder, 'index-1.md'), join(folder, 'turnbuckle.md'))
  for (const file of readdirSync(folder)) {
    const name = file.replace(/\.md$/, '')
    const title = { index: 'API', turnbuckle: 'turnbuckle' }[name] ?? `turnbuckle/${name}`
    const text = readFileSync(join(folder, file), 'utf8')
      .replaceAll('index-1.md', 'turnbuckle.md')
      .replace(/^# .+$/m, `# ${title}`)
      .replace(/^- \[index\]/m, '- [turnbuckle]')
      .replace(/^- \[(?!turnbuckle)([a-z-]+)\]/gm, '- [turnbuckle/$1]')
    writeFileSync(join(folder, file), withPlainAnchors(text))
  }
}

/** typedoc counts `Mcp.prompt()` and `McpPrompt` as one name; on the site only the second is a heading. */
function withPlainAnchors(text) {
  const headings = Array.from(text.matchAll(/^#+ (\w+)/gm), ([, name]) => name.toLowerCase())
  return text.replace(/\]\(#(\w+)-1\)/g, (whole, name) =>
    headings.filter(heading => heading === name).length === 1 ? `](#${name})` : whole,
  )
}

/** `./stores` is src/stores.ts or src/stores/index.ts: typedoc takes a pattern. */
const entryPoint = door =>
  door === '.' ? '../turnbuckle/src/index.ts' : `../turnbuckle/src/{${door.slice(2)}.ts,${door.slice(2)}/index.ts}`

writeReference()
if (isDev) {
  const [pages, playground] = ['http://localhost:4281/', 'http://localhost:4280/']
  const dev = { ...env, DOCS_BASE: '/', VITE_PAGES: pages, DOCS_PLAYGROUND: playground }
  for (const args of [
    [vitepress, 'dev', site, '--port', '4281'],
    [vite, site, '--port', '4280', '--strictPort'],
  ])
    spawn(process.execPath, args, { cwd: site, env: dev, stdio: 'inherit' })
} else {
  rmSync(join(site, 'dist'), { recursive: true, force: true })
  run([vitepress, 'build', site])
  run([vite, 'build', site, '--logLevel', 'error'])
  const dead = deadAnchors(join(site, 'dist'), env.DOCS_BASE)
  if (dead.length) {
    console.error(`Links that lead nowhere:\n${dead.join('\n')}`)
    process.exit(1)
  }
  console.log('The site is in packages/site/dist.')
}
