import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import manifest from '../package.json' with { type: 'json' }

/** The language of the project's files. */
export type Language = 'ts' | 'js'

export interface NewProject {
  readonly folder: string
  readonly language: Language
}

const template = fileURLToPath(new URL('../template', import.meta.url))

/** TypeScript is compiled first, so that the project runs on every Node that the library does. */
const scripts: Readonly<Record<Language, object>> = {
  js: { start: 'node src/server.js', test: 'node --test src/*.test.js' },
  ts: { build: 'tsc', start: 'tsc && node dist/server.js', test: 'tsc && node --test dist/*.test.js' },
}

/** Writes the project's files. Throws where the folder has files already: nothing is written over. */
export function createProject({ folder, language }: NewProject): void {
  if (existsSync(folder) && readdirSync(folder).some(name => name !== '.git'))
    throw new Error(`${folder} is not empty. Give the name of a new folder: npm create turnbuckle my-agent`)
  for (const path of filesIn(template)) {
    if (language === 'js' && path === 'tsconfig.json') continue
    const text = readFileSync(join(template, path), 'utf8')
    write(join(folder, nameOf(path, language)), text.replaceAll('src/agent.js', `src/agent.${language}`))
  }
  write(join(folder, 'package.json'), `${JSON.stringify(packageOf(folder, language), null, 2)}\n`)
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name).slice(folder.length + 1))

/** npm leaves a .gitignore out of a package, so the template has it under another name. */
const nameOf = (path: string, language: Language): string =>
  path === 'gitignore' ? '.gitignore' : language === 'ts' ? path.replace(/\.js$/, '.ts') : path

function packageOf(folder: string, language: Language): object {
  const ours = `^${manifest.version}`
  return {
    name: packageName(folder),
    version: '0.0.0',
    private: true,
    type: 'module',
    scripts: { ...scripts[language], chat: 'turnbuckle' },
    dependencies: { '@turnbuckle/server': ours, '@turnbuckle/web': ours, turnbuckle: ours, zod: '^4.1.0' },
    ...(language === 'ts' ? { devDependencies: { '@types/node': '^20.19.0', typescript: '^6.0.0' } } : {}),
  }
}

/** A name that npm takes, made from the folder's. */
const packageName = (folder: string): string =>
  basename(resolve(folder))
    .toLowerCase()
    .replace(/[^a-z\d._-]+/g, '-')
    .replace(/^[._-]+|-+$/g, '') || 'my-agent'
