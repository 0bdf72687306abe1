import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isRecord } from './hook-handler.ts'

/** Scripts that a package manager runs around what it installs. */
const aroundInstall = 'preinstall install postinstall preprepare prepare postprepare dependencies'.split(' ')
const installs: ReadonlySet<string> = new Set('install i ci add update up'.split(' '))

/** The scripts of a folder's package.json, as a person reads them. */
export const scriptsText = (folder: string): string => JSON.stringify(scriptsOf(folder), undefined, 2) ?? ''

/** The commands of the scripts that words of a command name, and of those that run before and after them. */
export function namedScripts(words: readonly string[], folder: string): readonly string[] {
  const scripts = scriptsOf(folder) ?? {}
  const names = words.flatMap(word => [
    ...[word, `pre${word}`, `post${word}`],
    ...(word === 't' || word === 'tst' ? ['pretest', 'test', 'posttest'] : []),
    ...(installs.has(word) ? aroundInstall : []),
  ])
  return [...new Set(names)].flatMap(name => {
    const script = Object.hasOwn(scripts, name) ? scripts[name] : undefined
    return typeof script === 'string' ? [script] : []
  })
}

function scriptsOf(folder: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    return isRecord(value) && isRecord(value.scripts) ? value.scripts : undefined
  } catch {
    return undefined
  }
}
