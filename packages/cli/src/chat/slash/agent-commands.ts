import { readTrace } from '../../compose/keep-traces.ts'
import { decisionLines } from '../../text/decision-lines.ts'
import { drawTrace } from '../../text/draw-trace.ts'
import { oneLine } from '../../text/one-line.ts'
import { isThemeName, setTheme, themeInUse, themeNames } from '../../text/theme.ts'
import type { ChatSession } from '../session/chat-session.ts'
import { backgroundCommand } from './background-command.ts'
import { modelCommand } from './model-command.ts'
import type { SlashCommand } from './slash-command.ts'

/** Commands about the agent, and about what it did. */
export const agentCommands: readonly SlashCommand[] = [
  {
    name: '/theme',
    usage: '[NAME]',
    does: 'shows or changes the colours',
    refusedWhileRunning: 'never',
    run(session, name) {
      if (name && !isThemeName(name))
        return session.say(`There is no theme "${oneLine(name, 40)}": ${themeNames.join(', ')}.`, 'warn')
      if (isThemeName(name)) setTheme(name)
      const others = themeNames.filter(other => other !== themeInUse())
      session.say(`The theme is ${themeInUse()}. Others: ${others.join(', ')}. Setting: "theme".`)
    },
  },
  {
    name: '/hooks',
    usage: '[enable|disable NAME]',
    does: 'lists middleware, or switches one',
    refusedWhileRunning: 'never',
    run(session, rest) {
      const { agent, untrusted } = session.composed
      const [word, name = ''] = rest.split(/\s+/)
      if (word === 'enable') agent.enable(name)
      else if (word === 'disable') agent.disable(name)
      session.refresh()
      const used = agent.middleware.map(
        ({ name, enabled, guard }) => `${enabled ? '●' : '○'} ${name}${guard ? ' (guard)' : ''}`,
      )
      const left = untrusted.map(({ entry }) => `⊘ ${oneLine(entry.use)} (not trusted)`)
      session.say([...used, ...left].join('\n'))
    },
  },
  {
    name: '/tools',
    usage: '',
    does: 'lists the tools',
    refusedWhileRunning: 'never',
    run({ composed, say }) {
      say(
        composed.agent.tools
          .map(({ name, description }) => `${name.padEnd(16)} ${oneLine(description, 60)}`)
          .join('\n'),
      )
    },
  },
  modelCommand,
  backgroundCommand,
  {
    name: '/plan',
    usage: '[TASK]',
    does: 'only reading, until you accept a plan (also Shift-Tab)',
    refusedWhileRunning: 'never',
    run(session, task) {
      session.modes.use('plan')
      if (task) session.send(task)
    },
  },
  {
    name: '/mcp',
    usage: '',
    does: 'MCP servers, their state and their tools',
    refusedWhileRunning: 'never',
    run({ composed: { mcpServers, agent }, say }) {
      const lines = mcpServers().map(({ name, status, error }) => {
        const tools = agent.tools
          .filter(tool => tool.name.startsWith(`${name}__`))
          .map(tool => tool.name.slice(name.length + 2))
        const state = status === 'ready' ? tools.join(', ') || 'no tools' : oneLine(error ?? status, 200)
        return `${status === 'ready' ? '●' : '○'} ${oneLine(name)}: ${state}`
      })
      say(lines.join('\n') || 'There are no MCP servers. "mcpServers" in the settings adds them.')
    },
  },
  {
    name: '/vim',
    usage: '',
    does: 'vim keys in the input, on or off',
    refusedWhileRunning: 'never',
    run(session) {
      const { editor } = session.state
      const vim = editor.vim ? undefined : ({ mode: 'insert' } as const)
      session.set({ editor: { ...editor, vim } })
      session.say(`Vim keys are ${vim ? 'on: Esc is normal mode' : 'off'}. "vim" in your settings keeps them on.`)
    },
  },
  {
    name: '/permissions',
    usage: '[revoke ID]',
    does: 'what you allowed or forbade for longer',
    refusedWhileRunning: 'never',
    async run({ composed: { permissions }, say }, rest) {
      const [word, id = ''] = rest.split(/\s+/)
      if (word === 'revoke')
        return say((await permissions.revoke(id)) ? `Revoked ${id}.` : `There is no permission "${id}".`)
      const grants = await permissions.list()
      say(
        grants
          .map(({ id, decision, pattern, scope }) => `${id}  ${decision} ${oneLine(pattern, 40)}  ${scope}`)
          .join('\n') || 'Nothing is allowed or forbidden for longer.',
      )
    },
  },
  {
    name: '/explain',
    usage: '',
    does: 'who decided what in the last turn',
    refusedWhileRunning: 'never',
    async run(session) {
      const { turn } = session
      if (turn) return session.say(decisionLines(turn.explain()).join('\n'))
      const id = lastTurn(session)
      session.say(decisionLines(await session.composed.store.decisions(session.conversation.id, id)).join('\n'))
    },
  },
  {
    name: '/trace',
    usage: '',
    does: 'what happened when in the last turn',
    refusedWhileRunning: 'never',
    async run(session) {
      const id = lastTurn(session)
      const live = session.composed.traces.timeline.of(id)
      const spans = live.length ? live : await readTrace(session.composed.store, id)
      const width = (process.stdout.columns ?? 80) - 2
      const drawn = drawTrace(spans, width, session.conversation.messages)
      session.say(spans.length ? drawn.join('\n') : 'There is no trace of it.')
    },
  },
]

function lastTurn({ lastTurn, conversation }: ChatSession): string {
  const id = lastTurn ?? conversation.tree.findLast(({ turnId }) => turnId !== undefined)?.turnId
  if (id === undefined) throw new Error('There was no turn yet.')
  return id
}
