import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { CommandFunction } from '../command-table.ts'
import { composeAgent } from '../compose/compose-agent.ts'
import { missingServers } from '../compose/connect-mcp-servers.ts'
import { sandboxOf } from '../compose/sandbox-of.ts'
import { leadsOutside } from '../settings/leads-outside.ts'
import { type LoadedSettings, loadSettings } from '../settings/load-settings.ts'
import { openStore } from '../store/open-store.ts'
import { cleanText } from '../text/clean-text.ts'
import { printLine, printStyled } from '../text/print.ts'
import { styled } from '../text/styled.ts'

interface Finding {
  readonly ok: boolean
  readonly text: string
  readonly fix?: string
}

export const doctorCommand: CommandFunction = async () => {
  const findings: Finding[] = [node()]
  const loaded = await attempt(findings, 'Settings', async () => {
    const found = await loadSettings()
    return { value: found, text: found.files.length ? found.files.join(', ') : `none; ${found.home} is your folder` }
  })
  if (loaded) await checkProject(findings, loaded)
  for (const { ok, text, fix } of findings)
    printStyled(
      `${ok ? styled('green', '✓') : styled('yellow', '!')} ${cleanText(text)}${fix ? `\n    → ${cleanText(fix)}` : ''}`,
    )
  const wrong = findings.filter(({ ok }) => !ok).length
  printLine(wrong ? `\n${wrong} to look at.` : '\nAll is well.')
  return wrong ? 1 : 0
}

function node(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const ok = major > 20 || (major === 20 && minor >= 19)
  return { ok, text: `Node ${process.versions.node}`, ...(ok ? {} : { fix: 'Turnbuckle needs Node 20.19 or newer.' }) }
}

async function checkProject(findings: Finding[], loaded: LoadedSettings): Promise<void> {
  await attempt(findings, 'Store', async () => {
    const { store, address } = await openStore(loaded)
    const { length } = await store.list({ limit: 1000 })
    await store.close()
    return {
      value: undefined,
      text: `${address.replace(/\/\/.*@/, '//…@')} (${length} conversation${length === 1 ? '' : 's'})`,
    }
  })
  await attempt(findings, 'Agent', async () => {
    const { agent, model, notices, mcpServers, close } = await composeAgent(loaded)
    findings.push(await modelFinding(model.id))
    for (const notice of [...notices, ...missingServers(mcpServers())]) findings.push({ ok: false, text: notice })
    await close()
    return { value: undefined, text: `${agent.tools.length} tools, ${agent.middleware.length} middleware` }
  })
  findings.push(agentsFinding(loaded.root), await sandboxFinding(loaded))
}

async function sandboxFinding(loaded: LoadedSettings): Promise<Finding> {
  const wanted = sandboxOf(loaded)
  if (!wanted) return { ok: true, text: 'Sandbox: switched off in your settings' }
  const found = await (await import('turnbuckle/tools')).findSandbox()
  if (found.kind !== 'none') return { ok: true, text: `Sandbox of shell commands: ${found.kind} (${found.program})` }
  const fix = 'On Linux: install bubblewrap (apt install bubblewrap, dnf install bubblewrap).'
  return { ok: !wanted.required, text: `No sandbox for shell commands: ${found.reason}`, fix }
}

function agentsFinding(root: string): Finding {
  if (leadsOutside(root, 'AGENTS.md'))
    return { ok: false, text: 'AGENTS.md is a link that leads out of the project: it is not read' }
  const isThere = existsSync(join(root, 'AGENTS.md'))
  return { ok: true, text: isThere ? 'AGENTS.md is added to the instructions' : 'no AGENTS.md here' }
}

async function modelFinding(id: string): Promise<Finding> {
  if (id === 'offline')
    return {
      ok: true,
      text: 'Model: offline, a script that needs no key',
      fix: 'It is no AI. To connect a real model: turnbuckle setup (or set ANTHROPIC_API_KEY, OPENAI_API_KEY or GOOGLE_GENERATIVE_AI_API_KEY, or start Ollama).',
    }
  try {
    await (await import('turnbuckle/models')).resolveModel(id)
    return { ok: true, text: `Model: ${id}` }
  } catch (error) {
    return { ok: false, text: `Model: ${id}`, fix: (error as Error).message }
  }
}

async function attempt<Value>(
  findings: Finding[],
  what: string,
  look: () => Promise<{ value: Value; text: string }>,
): Promise<Value | undefined> {
  try {
    const { value, text } = await look()
    findings.push({ ok: true, text: `${what}: ${text}` })
    return value
  } catch (error) {
    findings.push({ ok: false, text: what, fix: (error as Error).message })
    return undefined
  }
}
