import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Place, program, Terminal } from './terminal.ts'

let place: Place
beforeEach(() => {
  place = new Place()
})
afterEach(() => place[Symbol.dispose]())

/** The files of modules that a process has loaded, by what V8 writes down at its end. */
function loadedFiles(folder: string): readonly string[] {
  const reports = readdirSync(folder).map(file => JSON.parse(readFileSync(join(folder, file), 'utf8')))
  const urls: readonly string[] = reports.flatMap(({ result }) => result.map(({ url }: { url: string }) => url))
  return [...new Set(urls.filter(url => url.startsWith('file:')))]
}

test('a word about itself takes the program one file', async () => {
  const folder = join(place.home, 'loaded')
  const env = { ...place.env, NODE_V8_COVERAGE: folder }
  await new Promise(resolve =>
    spawn(process.execPath, [program, '--version'], { env, stdio: 'ignore' }).on('close', resolve),
  )
  expect(loadedFiles(folder)).toHaveLength(1)
})

test('the first prompt loads a few bundles: no model, no MCP, no server', async () => {
  const folder = join(place.home, 'loaded')
  using chat = new Terminal(place, ['chat'], { env: { NODE_V8_COVERAGE: folder } })
  await chat.see('Say something, or /help')
  chat.type('/quit\r')
  await chat.exit
  const files = loadedFiles(folder)
  expect(files.length).toBeLessThan(45)
  expect(files.filter(file => /@ai-sdk|modelcontextprotocol|hono|packages\/server|dist\/claude/.test(file))).toEqual([])
})
