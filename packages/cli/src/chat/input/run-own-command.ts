import { spawn } from 'node:child_process'
import { stripControls } from 'turnbuckle/tools'
import type { ChatSession } from '../session/chat-session.ts'

/** Characters of output that are shown and told to the model: the end of it. */
const mostOutput = 20_000
/** Characters of it of which the last lines are shown while the command runs. */
const mostShown = 2000

/** Ends each command that runs, when the program ends: one listener for all of them. */
const running = new Set<() => void>()
function endAll(): void {
  for (const end of running) end()
}

/**
 * Runs a command of the person's own, `!git status`. The output is shown, and goes to the model with the next message.
 * Ctrl-C ends it, the second one whether it wants or not, and so does the end of the chat.
 */
export function runOwnCommand(session: ChatSession, command: string): Promise<void> {
  const { root } = session.composed.loaded
  const child = spawn('/bin/sh', ['-c', command], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  let isAsked = false
  const work = session.startBeside(`$ ${command}`, () => {
    endGroup(child.pid, isAsked ? 'SIGKILL' : 'SIGTERM')
    isAsked = true
  })
  const endAtExit = () => endGroup(child.pid, 'SIGKILL')
  if (!running.size) process.once('exit', endAll)
  running.add(endAtExit)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-mostOutput)
      work.report(stripControls(output.slice(-mostShown)))
    })
  return new Promise(resolve => {
    const done = (outcome: string) => {
      work.ended()
      running.delete(endAtExit)
      if (!running.size) process.off('exit', endAll)
      const shown = [`$ ${command}`, stripControls(output).trimEnd(), outcome].filter(Boolean).join('\n')
      session.say(shown)
      session.tellLater(`I ran this command myself:\n${shown}`)
      resolve()
    }
    child.on('error', error => done(error.message))
    child.on('close', (code, signal) => done(code === 0 ? '' : `[exit code ${code ?? signal}]`))
  })
}

function endGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal)
  } catch {
    // The group is gone already.
  }
}
