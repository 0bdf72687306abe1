/** The figures of the first table in RESULTS.md: `{ [title of the work]: { [subject]: number } }`. Words and dashes are left out. */
export function readResults(page) {
  const table = page.split('\n').filter(line => line.startsWith('| '))
  const end = table.findIndex((line, i) => i > 0 && line.startsWith('| work |'))
  const [head, , ...rows] = table.slice(0, end < 0 ? undefined : end).map(cellsOf)
  const subjects = head.slice(4)
  return Object.fromEntries(rows.map(([title, , , , ...cells]) => [title, figuresOf(subjects, cells)]))
}

const cellsOf = line =>
  line
    .slice(2, -2)
    .split(' | ')
    .map(cell => cell.trim())

function figuresOf(subjects, cells) {
  const figures = {}
  for (const [i, cell] of cells.entries()) {
    const found = /^[\d,.]+/.exec(cell)
    if (found) figures[subjects[i]] = Number(found[0].replaceAll(',', ''))
  }
  return figures
}
