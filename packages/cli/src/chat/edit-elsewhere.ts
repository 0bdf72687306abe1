import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Lets the person edit a text in `$VISUAL` or `$EDITOR`. Contract: the terminal is the editor's meanwhile; a turn that
 * runs goes on, so nobody else may read keys or draw.
 */
export async function editElsewhere(text: string, env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const editor = env.VISUAL || env.EDITOR || 'vi'
  const folder = mkdtempSync(join(tmpdir(), 'turnbuckle-edit-'))
  const path = join(folder, 'message.md')
  process.on('SIGINT', leaveToEditor)
  try {
    writeFileSync(path, text, { mode: 0o600 })
    // Through a shell, as EDITOR may have arguments: `code --wait`.
    const [code, signal] = await once(
      spawn('/bin/sh', ['-c', `${editor} "$1"`, 'sh', path], { stdio: 'inherit' }),
      'exit',
    )
    if (code !== 0) throw new Error(`${editor} ended with ${signal ?? `exit code ${code}`}.`)
    return readFileSync(path, 'utf8').replace(/\n$/, '')
  } finally {
    process.off('SIGINT', leaveToEditor)
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Ctrl-C in the editor goes to the whole foreground group: the chat has no use for it. */
function leaveToEditor(): void {}
