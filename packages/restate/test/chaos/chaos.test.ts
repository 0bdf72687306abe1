import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFailed, onTestFinished, test } from 'vitest'

const program = fileURLToPath(new URL('./all.mjs', import.meta.url))

/** Runs `npm run test:chaos` with these arguments, and gives what its checker says. */
async function chaos(...args: readonly string[]): Promise<{ code: unknown; problems: unknown; turns: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'turnbuckle-chaos-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const json = join(folder, 'result.json')
  const child = spawn(process.execPath, [program, ...args, '--json', json, '--page', join(folder, 'page.html')], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGTERM'))
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (said += chunk))
  // A run that takes too long would otherwise end without a word of where it stood.
  onTestFailed(() => console.error(said))
  const code = await new Promise(resolve => child.once('exit', resolve))
  if (!existsSync(json)) throw new Error(`The run ended with ${code} and no result.`)
  const { problems, summary } = JSON.parse(readFileSync(json, 'utf8'))
  return { code, problems, turns: summary.turns }
}

test.runIf(process.platform === 'linux')(
  'no turn is lost, run twice or left open while workers, servers, PostgreSQL and Restate are killed',
  async () => {
    const { code, problems, turns } = await chaos(
      ...'--turns 24 --conversations 6 --seed 3 --pace 0.4 --within 240'.split(' '),
    )
    expect(problems).toEqual([])
    expect(code).toBe(0)
    expect(turns).toBeGreaterThanOrEqual(24)
  },
  600_000,
)
