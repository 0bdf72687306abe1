import { defaultModel } from 'turnbuckle/models'
import { askLine } from '../command-line/ask-line.ts'
import { askYes } from '../command-line/ask-yes.ts'
import type { CommandFunction } from '../command-table.ts'
import { tryModel } from '../compose/model/try-model.ts'
import { UserError } from '../errors/user-error.ts'
import { changeUserFile, readUserFile, userFile } from '../settings/change-user-file.ts'
import { homeFolder } from '../settings/home-folder.ts'
import { type ProviderChoice, providerChoices } from '../settings/provider-choices.ts'
import { cleanText } from '../text/clean-text.ts'
import { printLine, printStyled } from '../text/print.ts'
import { paint } from '../text/theme.ts'

/** Asks for provider, key and model, tries them with one call, and keeps them in the user's file. */
export const setupCommand: CommandFunction = async () => {
  if (!process.stdin.isTTY)
    throw new UserError(
      `There is no terminal to ask on. Set a key in the environment, such as ${providerChoices[0]?.key}.`,
    )
  const home = homeFolder()
  // A file that cannot be read is told of before the questions.
  readUserFile(home)
  const provider = await askProvider()
  const env = await askAccess(provider)
  const model = await askModel(provider, env)
  printLine(`Trying ${model} …`)
  const problem = await tryModel(model, { ...process.env, ...env })
  if (problem === undefined) printStyled(`${paint('good', '✓')} It answers.`)
  else {
    printStyled(`${paint('bad', '✗')} ${cleanText(problem)}`)
    if (!(await askYes('Keep it all the same?'))) throw new UserError('Nothing was changed.', 1)
  }
  changeUserFile(home, before => ({ ...before, model, env: { ...before.env, ...env } }))
  printLine(`Kept in ${userFile(home)}, which only you can read.\nBegin: turnbuckle`)
  return 0
}

async function askProvider(): Promise<ProviderChoice> {
  printLine('Who provides the model?')
  for (const [i, { name, about }] of providerChoices.entries()) printLine(`  ${i + 1}  ${name.padEnd(12)} ${about}`)
  for (;;) {
    const said = await askLine('Number or name', { otherwise: '1' })
    const found = providerChoices[Number(said) - 1] ?? providerChoices.find(({ name }) => name === said.toLowerCase())
    if (found) return found
    printLine(`"${said}" is none of them.`)
  }
}

async function askAccess({
  key,
  address: endpoint,
  asksAddress,
  at = '',
}: ProviderChoice): Promise<Readonly<Record<string, string>>> {
  const address = asksAddress ? await askLine('Address', { otherwise: at }) : ''
  const secret = key === undefined ? '' : await askLine(`${key} (not shown)`, { hidden: true })
  return {
    ...(address ? { [endpoint]: address } : {}),
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
