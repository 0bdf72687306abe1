// The pictures of a trace in docs/middleware/seeing.md: plays a turn with the real OpenTelemetry SDK, draws the spans it exports, and opens them in
// speedscope, a viewer out of npm, in the Chromium of the tests. `npm run trace`.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { root } from './ensure-installed.mjs'

const viewer = 'speedscope@1.25.0'
const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.json': 'application/json' }

/** A module of the library's tests: built beside them, so that it finds their packages. */
async function load(name) {
  const program = join(root, `packages/turnbuckle/test/.${name}.mjs`)
  try {
    await build({
      entryPoints: [join(root, `packages/turnbuckle/test/${name}.ts`)],
      outfile: program,
      bundle: true,
      external: ['@opentelemetry/*', '@sparticuz/chromium', 'playwright-core'],
      platform: 'node',
      format: 'esm',
      target: 'node20',
      logLevel: 'error',
    })
    return await import(pathToFileURL(program))
  } finally {
    rmSync(program, { force: true })
  }
}

/** The viewer's folder: a static page. */
function viewerFolder() {
  const folder = join(root, 'node_modules/.cache', viewer)
  if (!existsSync(folder)) {
    mkdirSync(folder, { recursive: true })
    const packed = execFileSync('npm', ['pack', viewer, '--silent'], { cwd: folder, encoding: 'utf8' }).trim()
    execFileSync('tar', ['xf', packed], { cwd: folder })
  }
  return join(folder, 'package/dist/release')
}

/** Serves the viewer and the trace on loopback. */
async function serve(folder, trace) {
  const server = createServer(({ url = '/' }, response) => {
    const { pathname } = new URL(url, 'http://x')
    const file = join(folder, pathname === '/' ? 'index.html' : pathname)
    if (pathname !== '/turn.json' && !existsSync(file)) return response.writeHead(404).end()
    response.writeHead(200, { 'content-type': types[extname(pathname) || '.html'] ?? 'application/octet-stream' })
    return response.end(pathname === '/turn.json' ? trace : readFileSync(file))
  })
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
  return { server, base: `http://127.0.0.1:${server.address().port}` }
}

async function photograph(trace, path) {
  const { server, base } = await serve(viewerFolder(), trace)
  const { launchChromium } = await load('chromium')
  const browser = await launchChromium()
  try {
    const page = await browser.newPage({ viewport: { width: 1200, height: 300 } })
    const read = page.waitForEvent('console', message => message.text().startsWith('import:'))
    await page.goto(`${base}/#profileURL=${encodeURIComponent(`${base}/turn.json`)}&title=One%20turn`)
    await read
    await page.waitForTimeout(2000)
    await page.screenshot({ path })
  } finally {
    await browser.close()
    server.close()
  }
}

const { playTrace, traceEvents, tracePicture } = await load('trace-picture')
const spans = await playTrace()
writeFileSync(join(root, 'docs/images/trace.svg'), tracePicture(spans))
await photograph(JSON.stringify(traceEvents(spans)), join(root, 'docs/images/trace-speedscope.png'))
