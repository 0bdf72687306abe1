import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { bundleProgram, root } from '../../turnbuckle/test/bundle-program.ts'
import { type Answer, callOf } from './serve.ts'
import type { Job } from './served-process.ts'

export const bundleServer = (): Promise<string> =>
  bundleProgram(new URL('served-process.ts', import.meta.url), 'served-process', join(root, 'packages/server'))

export interface ServerProcess {
  readonly url: string
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  /** Resolves when it is gone. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>
  readonly gone: Promise<void>
}

/** A server in a process of its own. Resolves once it listens. */
export async function startProcess(
  program: string,
  job: Job,
  env: Readonly<Record<string, string>> = {},
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [program, JSON.stringify(job)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  })
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
