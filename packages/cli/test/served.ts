import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import { type Place, program } from './terminal.ts'

type Json = Readonly<Record<string, unknown>>

/** `turnbuckle serve`, which ends with the test. */
export interface Served {
  readonly process: ChildProcess
  post(path: string, body: Json): Promise<Json>
  /** The first event of this type, of all events of a conversation. */
  event(conversation: unknown, type: string): Promise<Json>
}

const authorization = 'Bearer secret'

/** Starts `turnbuckle serve` in a place. */
export async function served(
  place: Place,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Served> {
  const child = spawn(process.execPath, [program, 'serve', '--port', '0', ...args], {
    cwd: place.project,
    env: { ...place.env, ...env, TURNBUCKLE_TOKEN: 'secret' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'close')
  })
  const url = await readyAt(child)
  return {
    process: child,
    async post(path, body) {
      const headers = { authorization, 'content-type': 'application/json' }
      const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
      return (await answer.json()) as Json
    },
    async event(conversation, type) {
      const { body } = await fetch(`${url}/api/conversations/${conversation}/events?after=0`, {
        headers: { authorization },
      })
      let text = ''
      for await (const part of (body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
        text += part
        const found = eventsIn(text).find(event => event['type'] === type)
        if (found) return found
      }
      throw new Error(`There was no ${type}.`)
    },
  }
}

async function readyAt({ stdout }: ChildProcess): Promise<string> {
  if (!stdout) throw new Error('It has no output.')
  for await (const line of createInterface({ input: stdout })) return /http:[^#]+(?=\/#)/.exec(line)?.[0] ?? ''
  throw new Error('It ended without a word.')
}

/** Events of a stream so far; the last line may be half of one. */
const eventsIn = (text: string): Json[] =>
  text
    .split('\n')
    .slice(0, -1)
    .flatMap(line => (line.startsWith('data:') ? [JSON.parse(line.slice(5)) as Json] : []))
