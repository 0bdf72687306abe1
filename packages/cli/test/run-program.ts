import { spawn } from 'node:child_process'
import { type Place, program } from './terminal.ts'

export interface Ran {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

export interface RunOptions {
  readonly input?: string
  readonly env?: Readonly<Record<string, string>>
}

/** Runs the program without a terminal. */
export function run(place: Place, args: readonly string[], { input = '', env = {} }: RunOptions = {}): Promise<Ran> {
  const child = spawn(process.execPath, [program, ...args], { cwd: place.project, env: { ...place.env, ...env } })
  let [out, err] = ['', '']
  child.stdout.on('data', data => {
    out += data
  })
  child.stderr.on('data', data => {
    err += data
  })
  child.stdin.end(input)
  return new Promise(resolve => child.on('close', code => resolve({ code, out, err })))
}
