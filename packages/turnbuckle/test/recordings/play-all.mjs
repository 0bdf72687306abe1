import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { compareRecording } from './compare-recording.mjs'
import { namedDifferences } from './named-differences.mjs'
import { readRecordings } from './recorded-models.mjs'

/** Plays every recording of a folder and prints what differs. Gives the exit code. */
export async function playAll(folder, { only, show }) {
  globalThis.AI_SDK_LOG_WARNINGS = false
  const library = await bundled()
  const all = readRecordings(folder).filter(({ name }) => name.includes(only))
  const recordings = all.filter(({ realtime }) => !realtime)
  const named = new Map()
  let same = 0
  let failed = 0
  for (const recording of recordings) {
    const { difference, names } = await compareRecording(library, recording)
    for (const name of names) named.set(name, [...(named.get(name) ?? []), recording.name])
    if (!difference) {
      if (!names.length) same++
      continue
    }
    failed++
    print(recording, difference, show)
  }
  for (const [name, where] of named) console.log(`${String(where.length).padStart(4)} × ${name}`)
  // A reason that no recording needs any more explains nothing.
  const stale = only ? [] : namedDifferences.filter(({ name }) => !named.has(name))
  for (const { name } of stale) console.log(`No recording shows it any more: ${name}`)
  const counts = {
    'the same': same,
    'with named differences': recordings.length - same - failed,
    'with others': failed,
    'of realtime sessions, which no language model reads': all.length - recordings.length,
  }
  console.log(
    `${all.length} recordings: ${Object.entries(counts)
      .map(([what, count]) => `${count} ${what}`)
      .join(', ')}`,
  )
  return failed || stale.length || !recordings.length ? 1 : 0
}

/** The library as its source is now. */
async function bundled() {
  const outfile = fileURLToPath(new URL('node_modules/.cache/turnbuckle.mjs', import.meta.url))
  await build({
    stdin: {
      contents: `export * from './index.ts'; export * from './ai-sdk.ts'`,
      resolveDir: fileURLToPath(new URL('../../src', import.meta.url)),
      loader: 'ts',
    },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    logLevel: 'error',
  })
  return import(outfile)
}

function print({ name }, { setting, at, ours, theirs, runs }, show) {
  const shown = value => JSON.stringify(value)?.slice(0, 300)
  console.log(`${name}${setting ? ` (${setting})` : ''}, ${at}\n  ours:   ${shown(ours)}\n  theirs: ${shown(theirs)}`)
  if (show) console.log(JSON.stringify(runs, undefined, 1))
}
