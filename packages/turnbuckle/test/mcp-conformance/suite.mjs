import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { build } from 'esbuild'
import { root } from '../../../../scripts/ensure-installed.mjs'
import { sourceAliases } from '../../../../scripts/source-aliases.mjs'

const here = new URL('.', import.meta.url).pathname

/**
 * The suite of the protocol's makers as a program that runs on Node 20 too: it imports a function of `fs` that only later ones have, for a
 * command that is not used here. It lies beside the original, where it looks for its own files.
 */
async function bundleSuite() {
  const original = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/dist/index.js')
  const outfile = join(dirname(original), `turnbuckle-suite-${process.pid}.mjs`)
  const contents = "export * from 'node:fs'; export const globSync = () => []"
  const withGlob = {
    name: 'with-glob',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^fs$/ }, () => ({ path: 'fs', namespace: 'with-glob' }))
      onResolve({ filter: /^node:fs$/ }, () => ({ path: 'node:fs', external: true }))
      onLoad({ filter: /.*/, namespace: 'with-glob' }, () => ({ contents }))
    },
  }
  const options = { bundle: true, platform: 'node', format: 'esm', packages: 'external', logLevel: 'error' }
  await build({ ...options, entryPoints: [original], outfile, plugins: [withGlob] })
  return outfile
}

/** The programs of this folder, with the library's source in them. */
async function bundlePrograms() {
  const outdir = join(root, 'node_modules/.cache/turnbuckle-programs', `mcp-conformance-${process.pid}`)
  mkdirSync(outdir, { recursive: true })
  await build({
    entryPoints: ['client', 'server'].map(name => `${here}${name}.ts`),
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    logLevel: 'error',
    alias: sourceAliases(root),
  })
  return { outdir, client: join(outdir, 'client.mjs'), server: join(outdir, 'server.mjs') }
}

/** Starts the agent's server; its address, and how to end it. */
function startServer(program) {
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = new Promise(resolve => child.on('close', resolve))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', code => reject(new Error(`The server ended with ${code}.`)))
    child.stdout.setEncoding('utf8').once('data', line =>
      resolve({
        url: line.trim(),
        async close() {
          child.stdin.end()
          await ended
        },
      }),
    )
  })
}

/** Prepares the suite. `run(side, scenario, revision)` resolves with whether the scenario was passed, and with what was said. */
export async function openSuite() {
  const [suite, programs] = await Promise.all([bundleSuite(), bundlePrograms()])
  const { url, close } = await startServer(programs.server)
  const target = {
    server: ['--url', url],
    client: ['--command', `${process.execPath} ${programs.client}`, '--timeout', '60000'],
  }
  const speak = args =>
    new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [suite, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
      let said = ''
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', text => {
          said += text
        })
      child.on('error', reject)
      child.on('close', code => resolve({ passed: code === 0, said }))
    })
  return {
    /** Every scenario, once for each of the two newest revisions that it is for. */
    async list() {
      const { said } = await speak(['list'])
      const [server = '', client = ''] = said.split(/^Authorization/m)[0]?.split(/^Client scenarios/m) ?? []
      return [...scenariosOf('server', server), ...scenariosOf('client', client)]
    },
    run: (side, scenario, revision) =>
      speak([side, ...target[side], '--scenario', scenario, '--spec-version', revision, '--verbose']),
    files: [suite, programs.outdir],
    close,
  }
}

const newest = ['2025-11-25', '2026-07-28']

/** Lines such as `  - ping [2025-06-18,2025-11-25]`. */
function scenariosOf(side, text) {
  return Array.from(text.matchAll(/^\s+-\s+(\S+) \[(.*)\]$/gm), ([, scenario, tags]) => {
    const named = tags.split(',')
    const revisions = newest.filter(revision => named.includes(revision))
    const [only = ''] = named
    const wanted = revisions.length ? revisions : [only === 'extension' ? '2025-11-25' : only]
    return wanted.map(revision => ({ side, scenario, revision }))
  }).flat()
}
