import { copyFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createAgent } from 'turnbuckle'
import { timeout } from 'turnbuckle/middleware'
import { checkModel, defaultModel, resolveModel } from 'turnbuckle/models'
import { askLine } from '../command-line/ask-line.ts'
import type { CommandFunction } from '../command-table.ts'
import { UserError } from '../errors/user-error.ts'
import { homeFolder, writeHomeFile } from '../settings/home-folder.ts'
import { readJsonc } from '../settings/read-jsonc.ts'
import { readSettings, type Settings } from '../settings/settings.ts'
import { printLine } from '../text/print.ts'
import { paint } from '../text/theme.ts'

interface ProviderChoice {
  readonly name: string
  readonly about: string
  readonly key?: string
  readonly endpoint?: string
  /** Offered as the endpoint. */
  readonly at?: string
}

const providers: readonly ProviderChoice[] = [
  { name: 'anthropic', about: 'Claude', key: 'ANTHROPIC_API_KEY' },
  { name: 'openai', about: 'GPT', key: 'OPENAI_API_KEY' },
  { name: 'google', about: 'Gemini', key: 'GOOGLE_GENERATIVE_AI_API_KEY' },
  { name: 'ollama', about: 'models on this machine', endpoint: 'OLLAMA_BASE_URL', at: 'http://127.0.0.1:11434' },
  {
    name: 'compatible',
    about: "any service in OpenAI's form",
    endpoint: 'COMPATIBLE_BASE_URL',
    key: 'COMPATIBLE_API_KEY',
  },
]

/** Asks for provider, key and model, tries them with one call, and keeps them in the user's file. */
export const setupCommand: CommandFunction = async () => {
  if (!process.stdin.isTTY)
    throw new UserError(`There is no terminal to ask on. Set a key in the environment, such as ${providers[0]?.key}.`)
  const path = join(homeFolder(), 'config.json')
  const before = readUserFile(path)
  const provider = await askProvider()
  const env = await askAccess(provider)
  const model = await askModel(provider, env)
  printLine(`Trying ${model} …`)
  const problem = await tryModel(model, env)
  if (problem === undefined) printLine(`${paint('good', '✓')} It answers.`)
  else {
    printLine(`${paint('bad', '✗')} ${problem}`)
    if (!/^y(es)?$/i.test(await askLine('Keep it all the same? y or n', { otherwise: 'n' })))
      throw new UserError('Nothing was changed.', 1)
  }
  if (existsSync(path)) copyFileSync(path, `${path}.old`)
  writeHomeFile(path, { ...before, model, env: { ...before.env, ...env } })
  printLine(`Kept in ${path}, which only you can read. Begin: turnbuckle`)
  return 0
}

const readUserFile = (path: string): Settings =>
  existsSync(path)
    ? readSettings(readJsonc(readFileSync(path, 'utf8'), path).value, { file: path, line: () => undefined }, 'user')
    : {}

async function askProvider(): Promise<ProviderChoice> {
  printLine('Who provides the model?')
  for (const [i, { name, about }] of providers.entries()) printLine(`  ${i + 1}  ${name.padEnd(12)} ${about}`)
  for (;;) {
    const said = await askLine('Number or name', { otherwise: '1' })
    const found = providers[Number(said) - 1] ?? providers.find(({ name }) => name === said.toLowerCase())
    if (found) return found
    printLine(`"${said}" is none of them.`)
  }
}

async function askAccess({ key, endpoint, at = '' }: ProviderChoice): Promise<Readonly<Record<string, string>>> {
  const address = endpoint === undefined ? '' : await askLine('Address', { otherwise: at })
  const secret = key === undefined ? '' : await askLine(`${key} (not shown)`, { hidden: true })
  return {
    ...(endpoint !== undefined && address ? { [endpoint]: address } : {}),
    ...(key !== undefined && secret ? { [key]: secret } : {}),
  }
}

async function askModel({ name }: ProviderChoice, env: Readonly<Record<string, string>>): Promise<string> {
  const known = await defaultModel({ ...env })
  const otherwise = known.startsWith(`${name}/`) ? known.slice(name.length + 1) : ''
  for (;;) {
    const said = await askLine('Model', { otherwise })
    if (said) return said.startsWith(`${name}/`) ? said : `${name}/${said}`
  }
}

/** One call with the given key; gives what is wrong, if anything is. */
async function tryModel(name: string, given: Readonly<Record<string, string>>): Promise<string | undefined> {
  const env = { ...process.env, ...given }
  try {
    checkModel(name, env)
    const agent = createAgent({ model: await resolveModel(name, { env }), use: [timeout({ model: 30_000 })] })
    await agent.send('Say "ok".')
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}
