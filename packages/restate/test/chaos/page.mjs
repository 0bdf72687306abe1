// The page of a run: turns that ended, faults and takeovers over time.
const colours = {
  'worker killed': '#c33',
  'worker stopped': '#c70',
  'PostgreSQL restarted': '#36c',
  'Restate killed': '#838',
  'server killed': '#088',
  'network cut': '#555',
}
const escaped = text => String(text).replace(/[&<>"]/g, char => `&#${char.charCodeAt(0)};`)

export function writePage({ summary, faults, ends, taken, begin, end, problems }) {
  const seconds = Math.max(1, Math.ceil((end - begin) / 1000))
  const width = 1100
  const x = at => 60 + ((at - begin) / 1000 / seconds) * (width - 80)
  const perSecond = Array.from({ length: seconds }, () => 0)
  for (const at of ends) perSecond[Math.min(seconds - 1, Math.max(0, Math.floor((at - begin) / 1000)))]++
  const most = Math.max(1, ...perSecond)
  const bars = perSecond.map(
    (count, i) =>
      `<rect x="${x(begin + i * 1000).toFixed(1)}" y="${(200 - (count / most) * 180).toFixed(1)}" width="${Math.max(1, (width - 80) / seconds - 0.5).toFixed(1)}" height="${((count / most) * 180).toFixed(1)}" fill="#9c9"><title>${count} turns</title></rect>`,
  )
  const kinds = Object.keys(colours)
  const marks = faults.map(({ kind, at, until = at }) => {
    const y = 220 + kinds.indexOf(kind) * 20
    return `<rect x="${x(at).toFixed(1)}" y="${y}" width="${Math.max(2, x(until) - x(at)).toFixed(1)}" height="12" fill="${colours[kind]}"><title>${kind}, ${((until - at) / 1000).toFixed(1)} s</title></rect>`
  })
  const slowest = Math.max(1000, ...taken.map(({ ms }) => ms))
  const dots = taken.map(
    ({ at, ms, name }) =>
      `<circle cx="${x(at).toFixed(1)}" cy="${(500 - (ms / slowest) * 130).toFixed(1)}" r="3" fill="#c33"><title>${escaped(name)}: ${ms} ms</title></circle>`,
  )
  const names = kinds.map((kind, i) => `<text x="4" y="${230 + i * 20}" font-size="9">${kind}</text>`)
  const rows = Object.entries(summary).map(
    ([name, value]) => `<tr><th>${escaped(name)}</th><td>${escaped(value)}</td></tr>`,
  )
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Chaos run</title>
<style>body{font:14px system-ui;margin:2rem;max-width:${width}px}th{text-align:left;padding-right:1rem}svg{background:#fafafa}</style>
<h1>Chaos run</h1><table>${rows.join('')}</table>
<svg width="${width}" height="520" role="img" aria-label="Turns, faults and takeovers over time">
<text x="4" y="14" font-size="11">turns ended a second, at most ${most}</text>${bars.join('')}${names.join('')}${marks.join('')}
<text x="4" y="360" font-size="11">takeovers, at most ${slowest} ms</text>${dots.join('')}
<text x="60" y="516" font-size="11">0 s</text><text x="${width - 60}" y="516" font-size="11">${seconds} s</text></svg>
<h2>Problems</h2>${problems.length ? `<ul>${problems.map(problem => `<li>${escaped(problem)}</li>`).join('')}</ul>` : '<p>None.</p>'}
</html>`
}
