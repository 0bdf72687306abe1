import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const root = fileURLToPath(new URL('..', import.meta.url))
const picture = join(root, 'docs/images/house.svg')

/** The rooms of core from the bottom up. */
const coreRooms =
  'types base async history events directives hooks state durable model tools turn stages context agent'.split(' ')
/** Each box with the middle of its place, so that arrows cross no box. */
const floors = [
  { cli: 300, web: 760 },
  { server: 420 },
  { mcp: 120, claude: 360, client: 640, testing: 860 },
  { models: 120, tools: 300, middleware: 490, conversation: 720 },
  { core: 480 },
]

/** The room of a source file: a folder of core (`core/turn`), a folder of the library, or a package. */
function roomOf(path) {
  const [, pack, , folder, inner] = path.split('/')
  if (pack !== 'turnbuckle') return pack
  if (folder === 'core') return `core/${inner}`
  return folder.endsWith('.ts') ? 'doors' : folder
}

const named = { turnbuckle: 'doors', '@turnbuckle/server': 'server' }

const sources = () =>
  ['turnbuckle', 'server', 'cli', 'web'].flatMap(pack =>
    readdirSync(join(root, 'packages', pack, 'src'), { recursive: true })
      .filter(file => /[.]tsx?$/.test(file) && !/[.]test(-d)?[.]ts$/.test(file))
      .map(file => `packages/${pack}/src/${file.replaceAll('\\', '/')}`),
  )

/** What each room imports, by rooms. The library's names lead to its doors, which are let through to what they export. */
function readImports() {
  const imports = new Map()
  for (const file of sources()) {
    const from = roomOf(file)
    const { importedFiles } = ts.preProcessFile(readFileSync(join(root, file), 'utf8'))
    for (const { fileName } of importedFiles) {
      const to = fileName.startsWith('.')
        ? roomOf(relative(root, resolve(root, dirname(file), fileName)))
        : (named[fileName] ?? /^turnbuckle\/(.+)$/.exec(fileName)?.[1])
      if (to && to !== from) imports.set(from, (imports.get(from) ?? new Set()).add(to))
    }
  }
  return imports
}

const isBox = name => floors.some(floor => name in floor)
/** A room as the box it is drawn in: core is one box; doors are what they lead to. */
const boxOf = room => (room.startsWith('core/') ? 'core' : room)
const throughDoors = { doors: 'core', stores: 'conversation', 'ai-sdk': 'models' }

/** Arrows between boxes, without those that follow from others. */
function arrows(imports) {
  const below = new Map(floors.flatMap(floor => Object.keys(floor)).map(name => [name, new Set()]))
  for (const [from, targets] of imports)
    for (const target of targets) {
      const [a, b] = [boxOf(from), boxOf(throughDoors[target] ?? target)]
      if (a !== b && isBox(a) && isBox(b)) below.get(a).add(b)
    }
  const reaches = (from, to) => below.get(from).has(to) || [...below.get(from)].some(next => reaches(next, to))
  return [...below].flatMap(([from, targets]) =>
    [...targets].filter(to => ![...targets].some(via => via !== to && reaches(via, to))).map(to => [from, to]),
  )
}

const width = 960
const rowHeight = 96
const boxHeight = 44
const coreTop = (floors.length - 1) * rowHeight + 20

/** Where each box stands. */
function places() {
  const at = new Map()
  for (const [row, floor] of floors.entries())
    for (const [name, middle] of Object.entries(floor)) {
      const w = name === 'core' ? width - 40 : 150
      at.set(name, { x: middle - w / 2, y: row * rowHeight + 20, w })
    }
  return at
}

const text = (x, y, words, extra = '') => `<text x="${x}" y="${y}" ${extra}>${words}</text>`
const rect = (x, y, w, h, kind) => `<rect x="${x}" y="${y}" width="${w}" height="${h}" rx="6" class="${kind}"/>`

function drawArrow([from, to], at) {
  const [a, b] = [at.get(from), at.get(to)]
  const [x1, y1] = [a.x + a.w / 2, a.y + boxHeight]
  const x2 = to === 'core' ? x1 : b.x + b.w / 2
  return `<path d="M${x1} ${y1} C${x1} ${y1 + 28} ${x2} ${b.y - 34} ${x2} ${b.y - 6}" class="arrow" marker-end="url(#head)"/>`
}

/** Core as a list, the top room first, with the rooms that each imports. */
function drawCore(imports) {
  const rooms = coreRooms.filter(room => imports.has(`core/${room}`) || room === 'base').toReversed()
  const lines = rooms.map((room, i) => {
    const below = coreRooms.filter(other => imports.get(`core/${room}`)?.has(`core/${other}`)).toReversed()
    const y = coreTop + 50 + i * 26
    return rect(40, y, 130, 22, 'room') + text(50, y + 16, room) + text(190, y + 16, below.join(' · '), 'class="small"')
  })
  return { height: 62 + rooms.length * 26, svg: lines.join('\n') }
}

export function drawHouse() {
  const imports = readImports()
  const at = places()
  const core = drawCore(imports)
  const boxes = [...at].map(([name, { x, y, w }]) =>
    [rect(x, y, w, name === 'core' ? core.height : boxHeight, 'box'), text(x + 14, y + 28, name, 'class="name"')].join(
      '',
    ),
  )
  const style = `text{font:14px system-ui,sans-serif;fill:#1c2733}.name{font-weight:600}.small{font-size:13px;fill:#52606d}
.box{fill:#f5f7fa;stroke:#7b8794}.room{fill:#fff;stroke:#9aa5b1}.arrow{fill:none;stroke:#7b8794}`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${coreTop + core.height + 20}" role="img" aria-label="The rooms and what they import">
<style>${style}</style>
<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="#7b8794"/></marker></defs>
<rect width="100%" height="100%" fill="#fff"/>
${boxes.join('\n')}
${text(340, coreTop + 28, 'each room, and the rooms of core that it imports', 'class="small"')}
${core.svg}
${arrows(imports)
  .map(arrow => drawArrow(arrow, at))
  .join('\n')}
</svg>
`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(picture, drawHouse())
