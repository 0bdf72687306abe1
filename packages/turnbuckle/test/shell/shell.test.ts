import { writeSync } from 'node:fs'
import { analyzeCommand } from 'turnbuckle/tools'
import { expect, test } from 'vitest'
import { Random } from '../same/random.ts'
import { argumentLine } from './argument-lines.ts'
import { gitLine, writtenFile } from './git-lines.ts'
import { hasBash, hasGit, RealBash } from './real-bash.ts'
import { shellLine } from './shell-lines.ts'

// A sample; `npm run test:shell` has 500,000 lines.
const count = Number(process.env['TURNBUCKLE_SHELL'] ?? 600)
const seed = Number(process.env['TURNBUCKLE_SEED'] ?? 19)
const batch = 2000

/** Names of the programs that an analysis has found. */
const namesIn = (parts: readonly string[]): ReadonlySet<string> =>
  new Set(parts.map(part => part.split(' ')[0]?.split('/').at(-1) ?? ''))

/** Tells how far a long run is, batch by batch. Written at once: the runner shows what is logged only when the test is over. */
const tellProgress = (lines: number, understood: number, wrong: readonly string[]): void => {
  if (count > batch)
    writeSync(2, `${lines} of ${count} lines, ${understood} understood, ${wrong.length} wrong ${wrong.at(-1) ?? ''}\n`)
}

test.runIf(hasBash)(
  `bash runs no command that the analysis has not seen, in ${count} lines`,
  () => {
    using shell = new RealBash()
    const random = new Random(seed)
    const wrong: string[] = []
    let understood = 0
    for (let made = 0; made < count; made += batch) {
      const lines: { readonly line: string; readonly found: ReadonlySet<string> }[] = []
      for (let i = 0; i < Math.min(batch, count - made); i++) {
        const line = shellLine(random)
        const parts = analyzeCommand(line)
        if (parts !== 'unknown') lines.push({ line, found: namesIn(parts) })
      }
      understood += lines.length
      const ran = shell.run(lines.map(({ line }) => line))
      for (const [i, { line, found }] of lines.entries())
        if (ran[i]?.some(name => !found.has(name)) && shell.runAlone(line).some(name => !found.has(name)))
          wrong.push(line)
      tellProgress(Math.min(made + batch, count), understood, wrong)
    }
    expect(wrong).toEqual([])
    // Enough of them are looked at: not all are unknown.
    expect(understood).toBeGreaterThan(count / 5)
  },
  3 * 60 * 60 * 1000,
)

/** Blanks are what a rule does not look at: an empty argument is one more. */
const plain = (command: string): string => command.trim().replace(/\s+/g, ' ')

test.runIf(hasBash).each(['/bin/bash', '/bin/sh'])(
  '%s gives a command no arguments but those that the analysis has seen',
  program => {
    using shell = new RealBash()
    const random = new Random(seed)
    const wrong: string[] = []
    let understood = 0
    for (let made = 0; made < Math.max(count / 50, 200); made++) {
      const line = argumentLine(random)
      const parts = analyzeCommand(line)
      if (parts === 'unknown') continue
      understood++
      const found = new Set(parts.map(plain))
      for (const command of shell.commandsOf(line, program))
        if (!found.has(plain(command))) wrong.push(`${JSON.stringify(line)} ran ${command}`)
    }
    expect(wrong).toEqual([])
    expect(understood).toBeGreaterThan(50)
  },
  10 * 60 * 1000,
)

test.runIf(hasBash && hasGit)(
  'git runs no command and writes no file that the analysis has not seen, however its options are written',
  () => {
    using shell = new RealBash()
    shell.makeRepository()
    const random = new Random(seed)
    const wrong = new Set<string>()
    let understood = 0
    for (let made = 0; made < Math.max(count / 50, 300); made++) {
      const line = gitLine(random)
      const parts = analyzeCommand(line)
      if (parts === 'unknown') continue
      understood++
      const { ran, wrote } = shell.runGit(line)
      const found = namesIn(parts)
      if (ran.some(name => !found.has(name)) || (wrote && !parts.includes(`> ${writtenFile}`))) wrong.add(line)
    }
    expect([...wrong]).toEqual([])
    expect(understood).toBeGreaterThan(30)
  },
  10 * 60 * 1000,
)

test.runIf(hasBash && hasGit)('a line of git that runs or writes more than was found is noticed', () => {
  using shell = new RealBash()
  shell.makeRepository()
  const lines = ["git fetch --upload-pac='a;git-upload-pack' .", 'git grep -lOa x', 'git log -1 --output=written']
  expect(lines.map(line => shell.runGit(line))).toEqual([
    { ran: ['a'], wrote: false },
    { ran: ['a'], wrote: false },
    { ran: [], wrote: true },
  ])
})

test.runIf(hasBash)('a line that runs more than was found is noticed', () => {
  using shell = new RealBash()
  const ran = shell.run([
    'a; b',
    "sudo -n env a 'x'",
    'echo x | xargs b',
    '(c &)',
    "npm exec -c 'a && b'",
    'docker run img dd',
  ])
  expect(ran).toEqual([['a', 'b'], ['sudo', 'a'], ['b'], ['c'], ['npm', 'a', 'b'], ['docker', 'dd']])
})
