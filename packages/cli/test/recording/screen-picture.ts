import type xterm from '@xterm/headless'

const [cellWidth, cellHeight, margin] = [8.4, 18, 12]
const colours = { text: '#d8dee9', ground: '#1e222a', cursor: '#88c0d0' }
/** The sixteen colours of a terminal; the others are computed as xterm does. */
const sixteen = [
  ...['#2e3440', '#e06c75', '#98c379', '#e5c07b', '#61afef', '#c678dd', '#56b6c2', '#d8dee9'],
  ...['#7f8896', '#e06c75', '#98c379', '#e5c07b', '#61afef', '#c678dd', '#56b6c2', '#ffffff'],
]

function paletteColour(index: number): string {
  const named = sixteen[index]
  if (named) return named
  if (index >= 232)
    return `rgb(${Array(3)
      .fill(8 + (index - 232) * 10)
      .join(',')})`
  const level = (step: number) => (step ? 55 + step * 40 : 0)
  const cube = index - 16
  return `rgb(${[Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map(level).join(',')})`
}

const escaped = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')

/** Attributes of a run of cells that look alike. */
function styleOf(cell: xterm.IBufferCell): string {
  const colour = cell.isFgPalette() ? paletteColour(cell.getFgColor()) : colours.text
  return [
    `fill="${colour}"`,
    ...(cell.isBold() ? ['font-weight="bold"'] : []),
    ...(cell.isItalic() ? ['font-style="italic"'] : []),
    ...(cell.isUnderline() ? ['text-decoration="underline"'] : []),
    ...(cell.isDim() ? ['opacity="0.65"'] : []),
  ].join(' ')
}

function rowPicture(line: xterm.IBufferLine, row: number): string {
  const runs: { style: string; column: number; text: string; columns: number }[] = []
  for (let column = 0; column < line.length; column++) {
    const cell = line.getCell(column)
    if (!cell || cell.getWidth() === 0) continue
    const style = styleOf(cell)
    const text = cell.getChars() || ' '
    const last = runs.at(-1)
    if (last?.style === style) {
      last.text += text
      last.columns += cell.getWidth()
    } else runs.push({ style, column, text, columns: cell.getWidth() })
  }
  const y = margin + (row + 0.75) * cellHeight
  return runs
    .filter(({ text }) => text.trim())
    .map(({ style, column, text, columns }) => {
      const x = (margin + column * cellWidth).toFixed(1)
      const kept = text.trimEnd()
      const width = ((columns - (text.length - kept.length)) * cellWidth).toFixed(1)
      return `<text x="${x}" y="${y}" textLength="${width}" ${style} xml:space="preserve">${escaped(kept)}</text>`
    })
    .join('\n')
}

/** What a terminal shows, as an SVG: text in its colours, and the cursor. */
export function screenPicture(screen: xterm.Terminal): string {
  const { active } = screen.buffer
  const [width, height] = [screen.cols * cellWidth + 2 * margin, screen.rows * cellHeight + 2 * margin]
  const lines = Array.from({ length: screen.rows }, (_, row) => active.getLine(active.baseY + row))
  const cursor = { x: (margin + active.cursorX * cellWidth).toFixed(1), y: margin + active.cursorY * cellHeight }
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="ui-monospace, Menlo, Consolas, monospace" font-size="14">`,
    '<title>The terminal chat</title>',
    `<rect width="${width}" height="${height}" rx="8" fill="${colours.ground}"/>`,
    `<rect x="${cursor.x}" y="${cursor.y}" width="${cellWidth}" height="${cellHeight}" fill="${colours.cursor}" opacity="0.6"/>`,
    ...lines.flatMap((line, row) => (line ? rowPicture(line, row) || [] : [])),
    '</svg>\n',
  ].join('\n')
}
