import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { clipboardImage } from './clipboard-image.ts'

afterEach(() => vi.unstubAllEnvs())

/** A folder with a program of that name which prints, and nothing else in the PATH. */
function install(program: string, script: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'turnbuckle-clipboard-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, program), `#!/bin/sh\n${script}\n`)
  chmodSync(join(folder, program), 0o755)
  vi.stubEnv('PATH', folder)
}

test('an image becomes a file that only its person reads', () => {
  install('xclip', `printf '\\211PNG and the rest'`)
  const image = clipboardImage()
  const path = 'path' in image ? image.path : ''
  onTestFinished(() => rmSync(dirname(path), { recursive: true }))
  expect(readFileSync(path, 'latin1')).toBe('\x89PNG and the rest')
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

test('a clipboard without an image is told apart from a machine without a program for it, which is told what to install', () => {
  install('wl-paste', 'echo text')
  expect(clipboardImage()).toEqual({ problem: 'There is no image in the clipboard.' })
  vi.stubEnv('PATH', '/nowhere')
  expect(clipboardImage()).toEqual({ problem: expect.stringMatching(/^No program for the clipboard: install /) })
})
