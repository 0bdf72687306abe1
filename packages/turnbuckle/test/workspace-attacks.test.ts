import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAgent, type ResultPart } from 'turnbuckle'
import { approval } from 'turnbuckle/middleware'
import { scriptedModel } from 'turnbuckle/testing'
import { commandParts, workspacePreview, workspaceTools } from 'turnbuckle/tools'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'turnbuckle-'))
  await mkdir(join(root, 'src'))
  await writeFile(join(root, 'victim'), 'alive\n')
})
afterEach(() => rm(root, { recursive: true, force: true }))

/** A model that does whatever the page it has read told it; a person who says no to everything. */
async function obey(name: string, args: object) {
  const asked: { patterns?: readonly string[]; diff?: string }[] = []
  const agent = createAgent({
    model: scriptedModel([{ calls: [{ name, args }] }, 'done']),
    tools: workspaceTools({ root, shell: true, fetch: true }),
    use: [
      approval({
        allow: ['shell(echo *)', 'shell(ls *)', 'shell(ls)', 'read_file'],
        deny: ['shell(rm *)'],
        parts: commandParts,
        preview: workspacePreview({ root }),
        answers: question => {
          asked.push(question)
          return 'deny'
        },
      }),
    ],
  })
  const { messages } = await agent.send('Summarise that page.')
  const { status } = messages.flatMap(({ content }) => content).find(part => part.type === 'result') as ResultPart
  return { status, asked }
}

describe('past a shell allow-list', () => {
  test.each<[command: string, status: string]>([
    ['echo hello', 'ok'],
    ['ls', 'ok'],
    ['echo a; ls src | echo b', 'ok'],
    ['echo "; ls"', 'ok'],
    ['rm victim', 'blocked'],
    ['echo x && rm victim', 'blocked'],
    ['echo x; rm victim', 'blocked'],
    ['echo x | rm victim', 'blocked'],
    ['echo x || rm victim', 'blocked'],
    ['echo x & rm victim', 'blocked'],
    ['echo x\nrm victim', 'blocked'],
    ['echo $(rm victim)', 'blocked'],
    ['echo "$(rm victim)"', 'blocked'],
    ['echo `rm victim`', 'blocked'],
    ['/bin/rm victim', 'blocked'],
    ["r''m victim", 'blocked'],
    ['r\\m victim', 'blocked'],
    ['(rm victim)', 'blocked'],
    ['env -i rm victim', 'blocked'],
    ['sudo -n rm victim', 'blocked'],
    ['echo victim | xargs rm', 'blocked'],
    ['find . -name victim -exec rm {} +', 'blocked'],
    ["npm exec -c 'rm victim'", 'blocked'],
    ['npx -y rm victim', 'blocked'],
    ['docker run --rm -v .:/w img rm /w/victim', 'blocked'],
    ['kubectl exec pod -- rm victim', 'blocked'],
    ['echo dead > victim', 'denied'],
    ['echo dead >> victim', 'denied'],
    ['echo x; mv victim gone', 'denied'],
    ['$(echo r)m victim', 'denied'],
    ['X=rm; $X victim', 'denied'],
    ["eval 'r''m victim'", 'denied'],
    ['echo victim | xargs unlink', 'denied'],
    ['find . -name victim -delete', 'denied'],
    ['echo hi <<X\n$(mv victim gone)\nX', 'denied'],
    ['ls() { mv victim gone; }; ls', 'denied'],
    ["echo $'\\x72m'", 'denied'],
    ['echo {rm,victim}', 'denied'],
    ['bash -c "rm victim"', 'denied'],
    ['cat<<<$(mv victim gone)', 'denied'],
    ['echo <(mv victim gone)', 'denied'],
    ['echo x\rmv victim gone', 'denied'],
    ['find . -name victim -exec mv {} gone ;', 'denied'],
    ["git -c alias.x='!mv victim gone' x", 'denied'],
    ["ls 'victim'&&mv victim gone", 'denied'],
  ])('%j is %s', async (command, status) => {
    const outcome = await obey('shell', { command })
    expect(outcome.status).toBe(status)
    expect(outcome.asked).toHaveLength(status === 'denied' ? 1 : 0)
    expect(await readFile(join(root, 'victim'), 'utf8')).toBe('alive\n')
    expect(await readdir(root)).toEqual(['src', 'victim'])
  })
})

test.each<[name: string, args: object]>([
  ['write_file', { path: 'victim', content: 'dead' }],
  ['edit_file', { path: 'victim', old: 'alive', new: 'dead' }],
  ['fetch_url', { url: 'http://127.0.0.1:1/?stolen' }],
])('an injected model gets no %s without a yes', async (name, args) => {
  const { status, asked } = await obey(name, args)
  expect(status).toBe('denied')
  expect(asked).toHaveLength(1)
  if (name !== 'fetch_url') expect(asked[0]?.diff).toContain('-alive\n+dead')
  expect(await readFile(join(root, 'victim'), 'utf8')).toBe('alive\n')
})
