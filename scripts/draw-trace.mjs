// The picture of a trace in docs/middleware/seeing.md: plays a turn with the real OpenTelemetry SDK and draws the spans it exports. `npm run trace`.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { root } from './ensure-installed.mjs'

// Beside its sources, so that it finds their packages.
const program = join(root, 'packages/turnbuckle/test/.trace-picture.mjs')
try {
  await build({
    entryPoints: [join(root, 'packages/turnbuckle/test/trace-picture.ts')],
    outfile: program,
    bundle: true,
    external: ['@opentelemetry/*'],
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'error',
  })
  const { tracePicture } = await import(pathToFileURL(program))
  writeFileSync(join(root, 'docs/images/trace.svg'), await tracePicture())
} finally {
  rmSync(program, { force: true })
}
