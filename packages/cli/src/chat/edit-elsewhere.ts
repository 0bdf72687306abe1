import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Lets the person edit a text in `$VISUAL` or `$EDITOR`. Contract: the terminal is the editor's meanwhile, and nothing else runs. */
export function editElsewhere(text: string, env: NodeJS.ProcessEnv = process.env): string {
  const editor = env.VISUAL || env.EDITOR || 'vi'
  const folder = mkdtempSync(join(tmpdir(), 'turnbuckle-edit-'))
  const path = join(folder, 'message.md')
  try {
    writeFileSync(path, text, { mode: 0o600 })
    // Through a shell, as EDITOR may have arguments: `code --wait`.
    const { status, error } = spawnSync('/bin/sh', ['-c', `${editor} "$1"`, 'sh', path], { stdio: 'inherit' })
    if (error || status !== 0) throw new Error(`${editor} ended with ${error?.message ?? `exit code ${status}`}.`)
    return readFileSync(path, 'utf8').replace(/\n$/, '')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
