import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

const inRepository = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url))

/** The problems that the schemas of Compose and Kubernetes have with the files of deploy/, changed so. */
function problems(change: (text: string) => string = text => text): string {
  const folder = mkdtempSync(join(tmpdir(), 'turnbuckle-manifests-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const files = ['compose.yaml', 'kubernetes.yaml'].map(name => {
    writeFileSync(join(folder, name), change(readFileSync(inRepository(`deploy/${name}`), 'utf8')))
    return join(folder, name)
  })
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [inRepository('scripts/cluster/check-manifests.mjs'), ...files],
    { encoding: 'utf8' },
  )
  if (status !== 0 && !stdout) throw new Error(stderr)
  return stdout
}

test('the compose file and the manifests fit the schemas of Compose and Kubernetes', { timeout: 240_000 }, () => {
  expect(problems()).toBe('')
})

test('a field that is missing, misspelt or of another type is found', { timeout: 240_000 }, () => {
  const found = problems(text =>
    text
      .replace('healthcheck:', 'healthchek:')
      .replace('  replicas: 2\n', '  replica: 2\n')
      .replace('containerPort: 8080', 'containerPort: eighty')
      .replace(/ {2}selector:\n {4}matchLabels:\n {6}app: worker\n/, ''),
  )
  const parts = [
    'healthchek',
    '"replica"\' does not exist',
    'containerPort must be integer',
    'required property selector',
  ]
  for (const part of parts) expect(found).toContain(part)
})
