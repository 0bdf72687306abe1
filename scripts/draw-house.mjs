import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { floorsOf, layOut } from './house/lay-out.mjs'
import { readImports } from './house/read-imports.mjs'

const picture = fileURLToPath(new URL('../docs/images/house.svg', import.meta.url))

const width = 1040
const margin = 20
const rowHeight = 92
const boxHeight = 44
const boxWidth = 120

const boxOf = room => (room.startsWith('core/') ? 'core' : room)

/** The boxes and what each imports: core is one, and a program that imports none of ours has none. */
function boxesOf(imports) {
  const boxes = new Map()
  for (const [room, targets] of imports) {
    const box = boxOf(room)
    if (!boxes.has(box)) boxes.set(box, new Set())
    for (const target of targets) if (boxOf(target) !== box) boxes.get(box).add(boxOf(target))
  }
  for (const [box, targets] of boxes) if (box !== 'core' && !targets.size) boxes.delete(box)
  return boxes
}

/** The middle and the top of each place in the picture: boxes, and arrows that pass a floor, which need less room. */
function placesOf(rows) {
  const at = new Map()
  for (const [floor, row] of rows.entries()) {
    const y = margin + (rows.length - 1 - floor) * rowHeight
    const widths = row.map(place => (place.includes('>') ? 24 : boxWidth))
    const gap = (width - 2 * margin - widths.reduce((a, b) => a + b, 0)) / row.length
    let x = margin + gap / 2
    for (const [i, place] of row.entries()) {
      at.set(place, { x: x + widths[i] / 2, y })
      x += widths[i] + gap
    }
  }
  return at
}

const text = (x, y, words, extra = '') => `<text x="${round(x)}" y="${round(y)}" ${extra}>${words}</text>`
const rect = (x, y, w, h, kind) =>
  `<rect x="${round(x)}" y="${round(y)}" width="${w}" height="${h}" rx="6" class="${kind}"/>`
const round = number => Math.round(number)

/** An arrow from the foot of a box to the head of another, by the places on the floors between. */
function drawWay(way, at) {
  const [from, ...stops] = way
  let { x, y } = at.get(from)
  let path = `M${round(x)} ${y + boxHeight}`
  y += boxHeight
  for (const stop of stops) {
    const next = at.get(stop)
    const isPassing = stop.includes('>')
    const toX = stop === 'core' ? x : next.x
    const toY = isPassing ? next.y : next.y - 6
    path += ` C${round(x)} ${y + 24} ${round(toX)} ${toY - 24} ${round(toX)} ${toY}`
    if (isPassing) path += ` L${round(toX)} ${next.y + boxHeight}`
    x = toX
    y = isPassing ? next.y + boxHeight : toY
  }
  return `<path d="${path}" class="arrow" marker-end="url(#head)"/>`
}

/** The rooms of core from the top down. `types` is at the bottom: its interfaces refer to all rooms. */
function coreRooms(imports) {
  const inCore = new Map([...imports].filter(([room]) => room.startsWith('core/')))
  const below = new Map(
    [...inCore].map(([room, targets]) => [
      room,
      new Set(room === 'core/types' ? [] : [...targets].filter(to => to !== 'core/types')),
    ]),
  )
  const floors = floorsOf(below)
  const isTypes = room => Number(room === 'core/types')
  return [...floors.keys()].sort(
    (a, b) => isTypes(a) - isTypes(b) || floors.get(b) - floors.get(a) || a.localeCompare(b),
  )
}

/** Core as a list, the top room first, with the rooms that each imports. */
function drawCore(imports, top) {
  const rooms = coreRooms(imports)
  const lines = rooms.map((room, i) => {
    const below = rooms.filter(other => imports.get(room).has(other)).map(other => other.slice('core/'.length))
    const y = top + 50 + i * 26
    return (
      rect(40, y, 130, 22, 'room') +
      text(50, y + 16, room.slice('core/'.length)) +
      text(190, y + 16, below.join(' · '), 'class="small"')
    )
  })
  return { height: 62 + rooms.length * 26, svg: lines.join('\n') }
}

export function drawHouse() {
  const imports = readImports()
  const { rows, ways } = layOut(boxesOf(imports))
  const at = placesOf(rows)
  const coreTop = at.get('core').y
  const core = drawCore(imports, coreTop)
  const boxes = rows
    .flat()
    .filter(place => !place.includes('>') && place !== 'core')
    .map(name => {
      const { x, y } = at.get(name)
      const label = text(x, y + 28, name, 'class="name" text-anchor="middle"')
      return rect(x - boxWidth / 2, y, boxWidth, boxHeight, 'box') + label
    })
  const style = `text{font:14px system-ui,sans-serif;fill:#1c2733}.name{font-weight:600}.small{font-size:13px;fill:#52606d}
.box{fill:#f5f7fa;stroke:#7b8794}.room{fill:#fff;stroke:#9aa5b1}.arrow{fill:none;stroke:#7b8794}`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${coreTop + core.height + margin}" role="img" aria-label="The rooms and what they import">
<style>${style}</style>
<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="#7b8794"/></marker></defs>
<rect width="100%" height="100%" fill="#fff"/>
${boxes.join('\n')}
${rect(margin, coreTop, width - 2 * margin, core.height, 'box')}
${text(margin + 14, coreTop + 28, 'core', 'class="name"')}
${text(margin + 320, coreTop + 28, 'each room, and the rooms of core that it imports', 'class="small"')}
${core.svg}
${ways.map(way => drawWay(way, at)).join('\n')}
</svg>
`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(picture, drawHouse())
