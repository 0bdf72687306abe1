#!/usr/bin/env node
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { createProject, type Language } from './create-project.ts'

const help = `npm create turnbuckle [FOLDER] [-- --ts | --js]

Makes a project with an agent, one hook, its test and a server. my-agent is the folder by default.
`

/** TypeScript by default, and where nobody can be asked. */
async function chosenLanguage(): Promise<Language> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return 'ts'
  const lines = createInterface({ input: process.stdin, output: process.stdout })
  const answer = await lines.question('TypeScript or JavaScript? [ts/js] (ts) ')
  lines.close()
  return /^j/i.test(answer.trim()) ? 'js' : 'ts'
}

async function run(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { ts: { type: 'boolean' }, js: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
  })
  if (values.help) return void process.stdout.write(help)
  const [folder = 'my-agent'] = positionals
  const language = values.js ? 'js' : values.ts ? 'ts' : await chosenLanguage()
  createProject({ folder, language })
  const steps = [`cd ${folder}`, 'npm install', 'npm test        # the hook, tested', 'npm start       # the web app']
  process.stdout.write(`Made ${folder}. Next:\n\n${steps.map(step => `  ${step}\n`).join('')}`)
}

try {
  await run()
} catch (error) {
  process.stderr.write(`create-turnbuckle: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
