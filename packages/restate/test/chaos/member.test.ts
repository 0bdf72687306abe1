import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

interface Member {
  readonly pid: number
  readonly ready: Promise<void>
  kill(): Promise<{ readonly pid: number }>
  end(): Promise<void>
}
const { Member } = (await import(new URL('./member.mjs', import.meta.url).href)) as {
  Member: new (program: string, settings: object, log: string) => Member
}

/** A member whose program says that it is ready, and stays. */
function begin(): Member {
  const folder = mkdtempSync(join(tmpdir(), 'turnbuckle-member-'))
  const program = join(folder, 'program.mjs')
  writeFileSync(program, `process.send('ready')\nprocess.on('message', () => {})\n`)
  const member = new Member(program, {}, 'ignore')
  onTestFinished(async () => {
    await member.end()
    rmSync(folder, { recursive: true, force: true })
  })
  return member
}

test('a member that is killed is another process when it is ready again', async () => {
  const member = begin()
  await member.ready
  const { pid } = member
  expect(await member.kill()).toEqual({ pid })
  await member.ready
  expect(member.pid).not.toBe(pid)
})

test('a member that the system has killed is started again', async () => {
  const member = begin()
  await member.ready
  const { pid } = member
  process.kill(pid, 'SIGKILL')
  await expect.poll(() => member.pid, { timeout: 10_000 }).not.toBe(pid)
  await member.ready
})
