import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sharedChromium } from './shared-chromium.ts'

let browser: Browser
let server: Server
let origin: string

/** Bundles the library's source for browsers: an import of a Node built-in fails here. */
async function bundle(fixture: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(`./fixtures/${fixture}.ts`, import.meta.url))],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
  })
  return outputFiles.map(file => file.text).join('')
}

beforeAll(async () => {
  const pages: Record<string, { type: string; body: string }> = {
    '/': { type: 'text/html', body: '<!doctype html><title>Turnbuckle</title>' },
    '/turn.js': { type: 'text/javascript', body: await bundle('browser-turn') },
    '/stores.js': { type: 'text/javascript', body: await bundle('browser-stores') },
    '/worker.js': {
      type: 'text/javascript',
      body: `import { runTurn } from '/turn.js'; runTurn().then(postMessage)`,
    },
  }
  server = createServer((request, response) => {
    const page = pages[request.url ?? '/']
    response.writeHead(page ? 200 : 404, { 'content-type': page?.type ?? 'text/plain' }).end(page?.body)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  browser = await sharedChromium()
})

afterAll(() => void server?.close())

/** Runs a function of a bundle in a Web Worker. */
const inWorkerOf = (file: string, run: string) => `new Promise((resolve, reject) => {
  const code = "import { ${run} } from '" + location.origin + "/${file}'; ${run}().then(postMessage)"
  const worker = new Worker(URL.createObjectURL(new Blob([code], { type: 'text/javascript' })), { type: 'module' })
  worker.onmessage = event => resolve(event.data)
  worker.onerror = event => reject(new Error(event.message))
})`

const inPage = `import('/turn.js').then(({ runTurn }) => runTurn())`
const inWorker = `new Promise((resolve, reject) => {
  const worker = new Worker('/worker.js', { type: 'module' })
  worker.onmessage = event => resolve(event.data)
  worker.onerror = event => reject(new Error(event.message))
})`

test.each([
  { place: 'a page', script: inPage, scope: 'Window' },
  { place: 'a Web Worker', script: inWorker, scope: 'DedicatedWorkerGlobalScope' },
])('a turn with a tool completes in $place', async ({ script, scope }) => {
  const page = await browser.newPage()
  await page.goto(origin)
  expect(await page.evaluate(script)).toEqual({ scope, status: 'completed', text: 'The sum is 5.' })
  await page.close()
})

test.each([
  { place: 'a page', script: `import('/stores.js').then(({ runStores }) => runStores())` },
  { place: 'a Web Worker', script: inWorkerOf('stores.js', 'runStores') },
])('the stores load in $place, and IndexedDB keeps what a store promises', async ({ script }) => {
  const page = await browser.newPage()
  await page.goto(origin)
  const heard = 'I have heard 3.'
  expect(await page.evaluate(script)).toEqual({ memory: heard, indexedDb: heard, failed: [] })
  await page.close()
})
