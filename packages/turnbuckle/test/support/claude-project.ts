import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createAgent, type Event, type Tool } from 'turnbuckle'
import { type ClaudeHooksOptions, claudeHooks } from 'turnbuckle/claude'
import { approval } from 'turnbuckle/middleware'
import { scriptedModel } from 'turnbuckle/testing'
import { workspaceTools } from 'turnbuckle/tools'
import { afterEach, beforeEach } from 'vitest'

/** The folder of the project, a new one for each test. */
export let root: string

/** Gives each test of the calling file a project of its own. */
export function useClaudeProject(): void {
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'claude-hooks-'))
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))
}

/** Writes a file of the project; what is no text as JSON. */
export const write = (path: string, content: unknown): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), typeof content === 'string' ? content : JSON.stringify(content))
}
export const read = (path: string): string => readFileSync(join(root, path), 'utf8')
export const seen = (name: string): Record<string, unknown>[] =>
  read(name)
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as Record<string, unknown>)

export type Reply = Parameters<typeof scriptedModel>[0][number]
type Groups = Readonly<Record<string, readonly unknown[]>>

export const command = (line: string, more: object = {}) => ({ type: 'command', command: line, ...more })
/** Keeps what the hook was given in a file, a line each time. */
export const keep = (file: string) => `cat >> ${file}; echo >> ${file}`
export const say = (json: object) => `echo '${JSON.stringify(json)}'`
export const specific = (hookEventName: string, fields: object) => ({
  hookSpecificOutput: { hookEventName, ...fields },
})

interface Played {
  readonly hooks?: Groups
  readonly user?: Groups
  readonly script: readonly Reply[]
  readonly tools?: readonly Tool[]
  readonly options?: Partial<ClaudeHooksOptions>
  readonly asks?: boolean
  readonly prompt?: string
}

/** Plays a script in a project with these hooks. */
export async function play({ hooks, user, script, tools, options, asks, prompt = 'Go.' }: Played) {
  if (hooks) write('.claude/settings.json', { hooks })
  if (user) write('home/settings.json', { hooks: user })
  const model = scriptedModel([...script])
  const claude = claudeHooks({ root, home: join(root, 'home'), ...options })
  const questions: string[] = []
  const agent = createAgent({
    model,
    tools: [...(tools ?? workspaceTools({ root, shell: true }))],
    use: [
      claude,
      ...(asks
        ? [
            approval({
              answers: async (question, about) => {
                const given = await claude.answers(question, about)
                if (!given) questions.push(question.name)
                return given ?? 'deny'
              },
            }),
          ]
        : []),
    ],
  })
  const chat = agent.conversation()
  const turn = chat.send(prompt)
  const events: Event[] = []
  for await (const event of turn) events.push(event)
  const result = await turn.settled
  const notices = events.flatMap(event => (event.type === 'claude.notice' ? [event.text] : []))
  const results = chat.messages.flatMap(({ content }) => content.filter(part => part.type === 'result'))
  const lastPrompt = JSON.stringify(model.prompts.at(-1)?.messages ?? [])
  return { model, claude, agent, chat, result, events, notices, results, questions, lastPrompt }
}

export const shell = (line: string): Reply => ({ calls: [{ name: 'shell', args: { command: line } }] })
export const done: Reply = 'Done.'
