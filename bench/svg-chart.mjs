/** Charts as SVG: logarithmic scales, every value in words beside its mark, readable on light and dark pages. */
import { number } from './report.mjs'

const WIDTH = 760
const LEFT = 150
const RIGHT = 130
const TOP = 56
const BAR = 22
const GAP = 10
const INK = '#24292f'
const FAINT = '#6e7781'
const OURS = '#0969da'
const OTHERS = ['#8c959f', '#bf8700', '#8250df', '#1a7f37', '#cf222e', '#953800', '#57606a']

const inXml = text => String(text).replace(/[&<>"]/g, sign => `&#${sign.charCodeAt(0)};`)
const text = (x, y, words, { anchor = 'start', color = INK, bold = false } = {}) =>
  `<text x="${x}" y="${y}" text-anchor="${anchor}" fill="${color}"${bold ? ' font-weight="600"' : ''}>${inXml(words)}</text>`

function page(title, subtitle, height, marks) {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${inXml(title)}" font-family="system-ui, sans-serif" font-size="13">
<rect width="${WIDTH}" height="${height}" rx="6" fill="#ffffff"/>
${[text(16, 24, title, { bold: true }), text(16, 42, subtitle, { color: FAINT }), ...marks].join('\n')}
</svg>
`
}

/** Where a value lies between the least and the greatest, by its logarithm, from 0 to 1. */
function scaleOf(values) {
  const least = Math.log10(Math.min(...values))
  const most = Math.log10(Math.max(...values))
  return value => (most === least ? 1 : (Math.log10(value) - least) / (most - least))
}

/** One bar for each `{ name, value, isOurs }`. The shortest has a tenth of the width. */
export function barChart({ title, subtitle, bars }) {
  const scale = scaleOf(bars.map(({ value }) => value))
  const room = WIDTH - LEFT - RIGHT
  const marks = bars.flatMap(({ name, value, isOurs }, i) => {
    const y = TOP + i * (BAR + GAP)
    const width = Math.round(room * (0.1 + 0.9 * scale(value)))
    const middle = y + BAR / 2 + 4
    return [
      text(LEFT - 10, middle, name, { anchor: 'end', bold: isOurs }),
      `<rect x="${LEFT}" y="${y}" width="${width}" height="${BAR}" rx="3" fill="${isOurs ? OURS : OTHERS[0]}"/>`,
      text(LEFT + width + 8, middle, number(value), { bold: isOurs }),
    ]
  })
  return page(title, `${subtitle}; logarithmic`, TOP + bars.length * (BAR + GAP) + 8, marks)
}

const PLOT = 300

/** One curve for each `{ name, points: [[x, y], …], isOurs }`; both axes are logarithmic. */
export function curveChart({ title, subtitle, across, curves }) {
  const points = curves.flatMap(curve => curve.points)
  const [scaleX, scaleY] = [0, 1].map(axis => scaleOf(points.map(point => point[axis])))
  const at = ([x, y]) => [
    Math.round(60 + (WIDTH - 60 - RIGHT - 150) * scaleX(x)),
    Math.round(TOP + 16 + (PLOT - 32) * (1 - scaleY(y))),
  ]
  const bottom = TOP + PLOT
  const steps = [...new Set(points.map(([x]) => x))]
  const ticks = steps.flatMap(x => {
    const [left] = at([x, points[0][1]])
    return [
      `<line x1="${left}" x2="${left}" y1="${TOP}" y2="${bottom}" stroke="#d0d7de"/>`,
      text(left, bottom + 18, x.toLocaleString('en'), { anchor: 'middle', color: FAINT }),
    ]
  })
  const named = spread(
    curves.map((curve, i) => ({ ...curve, color: colorOf(curves, i), y: at(curve.points.at(-1))[1] })),
  )
  const lines = named.flatMap(curve => drawCurve(curve, at))
  const axis = text(60, bottom + 38, across, { color: FAINT })
  return page(title, `${subtitle}; logarithmic`, bottom + 52, [...ticks, ...lines, axis])
}

function drawCurve({ name, points, isOurs, color, y }, at) {
  const [x] = at(points.at(-1))
  const path = points.map(point => at(point).join(',')).join(' ')
  return [
    `<polyline points="${path}" fill="none" stroke="${color}" stroke-width="${isOurs ? 3 : 1.75}"/>`,
    ...points.map(point => `<circle cx="${at(point)[0]}" cy="${at(point)[1]}" r="3" fill="${color}"/>`),
    text(x + 10, y + 4, `${name} ${number(points.at(-1)[1])}`, { color, bold: isOurs }),
  ]
}

const colorOf = (curves, i) =>
  curves[i].isOurs ? OURS : OTHERS[curves.slice(0, i).filter(({ isOurs }) => !isOurs).length % OTHERS.length]

/** Moves the names of curves that end close together apart. */
function spread(curves) {
  const sorted = curves.toSorted((a, b) => a.y - b.y)
  for (const [i, curve] of sorted.entries()) if (i > 0) curve.y = Math.max(curve.y, sorted[i - 1].y + 16)
  return sorted
}
