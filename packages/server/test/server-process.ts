import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { type Answer, callOf } from './serve.ts'
import type { Job } from './served-process.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const source = (path: string) => join(root, 'packages/turnbuckle/src', path)

/** The program in one file, so that it starts quickly. It lies where packages are found. */
export async function bundleServer(): Promise<string> {
  const outfile = join(root, 'packages/server/node_modules/.cache', `served-process-${process.pid}.mjs`)
  await build({
    entryPoints: [fileURLToPath(new URL('served-process.ts', import.meta.url))],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    alias: {
      turnbuckle: source('index.ts'),
      'turnbuckle/middleware': source('middleware/index.ts'),
      'turnbuckle/stores': source('stores/index.ts'),
      'turnbuckle/client': source('client/index.ts'),
    },
  })
  return outfile
}

export interface ServerProcess {
  readonly url: string
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  /** Resolves when it is gone. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>
  readonly gone: Promise<void>
}

/** A server in a process of its own. Resolves once it listens. */
export async function startProcess(program: string, job: Job): Promise<ServerProcess> {
  const child = spawn(process.execPath, [program, JSON.stringify(job)], { stdio: ['ignore', 'pipe', 'inherit'] })
  const gone = new Promise<void>(resolve => child.once('exit', () => resolve()))
  const url = await firstLine(child, gone)
  return {
    url,
    gone,
    call: callOf(url, 'secret'),
    end(signal) {
      child.kill(signal)
      return gone
    },
  }
}

async function firstLine(child: ChildProcess, gone: Promise<void>): Promise<string> {
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })
  const line = await Promise.race([
    new Promise<string>(resolve => lines.once('line', resolve)),
    gone.then(() => undefined),
  ])
  if (line === undefined) throw new Error('The server did not start.')
  return line
}
