#!/usr/bin/env node
// The command `turnbuckle`: runs @turnbuckle/cli of this version, installed beside the library or through npm.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

/** The program of the terminal, where it is installed in this very version. */
function installedProgram(): string | undefined {
  try {
    const path = createRequire(import.meta.url).resolve('@turnbuckle/cli/package.json')
    const manifest = JSON.parse(readFileSync(path, 'utf8')) as { version: string; bin: Record<string, string> }
    const program = manifest.bin['turnbuckle-cli']
    return manifest.version === version && program ? join(dirname(path), program) : undefined
  } catch {
    return undefined
  }
}

/** Fetches the terminal into npm's cache, once, and runs it there. */
function runThroughNpm(): void {
  const args = ['exec', '--yes', '--loglevel=error', `--package=@turnbuckle/cli@${version}`, '--', 'turnbuckle-cli']
  const { npm_execpath: npm } = process.env
  const isNpm = npm?.endsWith('npm-cli.js') || npm?.endsWith('npx-cli.js')
  const [command, before] = isNpm && npm ? [process.execPath, [npm.replace(/npx-cli\.js$/, 'npm-cli.js')]] : ['npm', []]
  const child = spawn(command, [...before, ...args, ...process.argv.slice(2)], {
    stdio: 'inherit',
    shell: command === 'npm' && process.platform === 'win32',
  })
  // Ctrl-C reaches the child too; it decides when to end.
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  child.on('error', error => {
    console.error(
      `turnbuckle: npm could not be started (${error.message}). Install the terminal: npm install @turnbuckle/cli@${version}`,
    )
    process.exitCode = 1
  })
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 1)
  })
}

const program = installedProgram()
if (program) await import(pathToFileURL(program).href)
else runThroughNpm()
