import { spawn } from 'node:child_process'
import { endGroup, endWithProcess } from '../tools/end-with-process.ts'
import type { CommandHandler } from './hook-handler.ts'

/** What a handler gave back, before anybody has read it. */
export interface HookRun {
  /** The exit code; `timeout` where its time was over, `failed` where it could not start or was ended from outside. */
  readonly exit: number | 'timeout' | 'failed'
  readonly stdout: string
  readonly stderr: string
}

/** Folders and variables that a handler's command can name. */
export interface HookPlace {
  readonly root: string
  readonly plugin?: { readonly root: string; readonly data: string } | undefined
}

/** Characters of each stream that are kept. */
const most = 1_000_000
/** Milliseconds after its end in which a command's output is still waited for, where a program it began holds the pipe open. */
const graceMs = 200

/** Runs a command hook: the event's JSON on its input, in a session of its own, in the project's folder. Never rejects. */
export function runHookCommand(
  handler: CommandHandler,
  input: string,
  { root, plugin }: HookPlace,
  limits: { readonly ms: number; readonly signal?: AbortSignal | undefined },
): Promise<HookRun> {
  const variables = placeVariables({ root, plugin })
  const [program, ...args] = commandLine(handler, variables)
  return new Promise(resolve => {
    const child = spawn(program, args, { cwd: root, env: { ...hookEnvironment(), ...variables }, detached: true })
    const hasEnded = endWithProcess(child)
    const said = { stdout: '', stderr: '' }
    let exit: HookRun['exit'] | undefined
    const timer = setTimeout(() => end('timeout'), limits.ms)
    const onAbort = () => end('failed')
    const settle = () => {
      hasEnded()
      clearTimeout(timer)
      limits.signal?.removeEventListener('abort', onAbort)
      resolve({ ...said, exit: exit ?? 'failed' })
    }
    const end = (why: 'timeout' | 'failed') => {
      exit ??= why
      endGroup(child)
      settle()
    }
    for (const stream of ['stdout', 'stderr'] as const)
      child[stream].setEncoding('utf8').on('data', (text: string) => {
        if (said[stream].length < most) said[stream] += text
      })
    limits.signal?.addEventListener('abort', onAbort, { once: true })
    if (limits.signal?.aborted) onAbort()
    // A command that does not read its input closes the pipe.
    child.stdin.on('error', () => {}).end(input)
    child.on('error', error => {
      said.stderr ||= error.message
      end('failed')
    })
    child.on('exit', (code, by) => {
      exit ??= code ?? 'failed'
      said.stderr ||= by ? `It was ended by ${by}.` : ''
      setTimeout(settle, graceMs).unref()
    })
    child.on('close', settle)
  })
}

const placeVariables = ({ root, plugin }: HookPlace): Readonly<Record<string, string>> => ({
  CLAUDE_PROJECT_DIR: root,
  ...(plugin ? { CLAUDE_PLUGIN_ROOT: plugin.root, CLAUDE_PLUGIN_DATA: plugin.data } : {}),
})

/** With `args` placeholders are filled in as plain text; else the shell does that, which has them as variables. */
export function commandLine(
  { command, args, shell }: CommandHandler,
  variables: Readonly<Record<string, string>>,
): [string, ...string[]] {
  const filled = (text: string) =>
    text.replace(/\$\{(CLAUDE_\w+)\}/g, (whole, name: string) => variables[name] ?? whole)
  if (args) return [filled(command), ...args.map(filled)]
  if (shell === 'powershell') return ['pwsh', '-NoProfile', '-Command', command]
  return [shell === 'bash' ? 'bash' : '/bin/sh', '-c', command]
}

/** This process's environment without the exporters of its telemetry. */
const hookEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('OTEL_')))
