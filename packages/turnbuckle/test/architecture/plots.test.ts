import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { root } from '../bundle-program.ts'

/** The plots of a page of results, as `npm run bench -- --plots` draws them. */
function plotsOf(page: string): Record<string, string> {
  const program = `import { readFileSync } from 'node:fs'
    import { plotsOf } from '${root}bench/draw-plots.mjs'
    process.stdout.write(JSON.stringify(plotsOf(readFileSync(0, 'utf8'))))`
  return JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '-e', program], { input: page, encoding: 'utf8' }),
  )
}

test('the plots are drawn from the figures of RESULTS.md', () => {
  const folder = `${root}bench/plots/`
  const kept = Object.fromEntries(readdirSync(folder).map(name => [name, readFileSync(folder + name, 'utf8')]))
  expect(kept).toEqual(plotsOf(readFileSync(`${root}bench/RESULTS.md`, 'utf8')))
})

test('turns against the number of conversations are curves; words and missing figures are not drawn', () => {
  const row = (title: string, ...cells: string[]) => `| ${title} | /s |  |  | – | ${cells.join(' | ')} |`
  const page = [
    '| work | unit | goal |  | bare loop | turnbuckle | peer |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    row('turns over HTTP with 1 at once: our server, on SQLite', '1,042', '–'),
    row('turns over HTTP with 50 at once: our server, on SQLite', '2,100 (1.5 ×)', '–'),
    row('turns over HTTP with 1 at once: our server, in memory', 'never', '–'),
    row('50 tool steps, no hooks', '≈ 0', 'never'),
  ].join('\n')
  const plots = plotsOf(page)
  expect(Object.keys(plots)).toEqual(['turns.svg'])
  expect(plots['turns.svg']).toContain('our server, on SQLite 2,100')
  expect(plots['turns.svg']?.match(/<polyline/g)).toHaveLength(1)
})
