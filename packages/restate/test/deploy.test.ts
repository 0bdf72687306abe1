import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'

const read = (name: string): string => readFileSync(new URL(`../../../deploy/${name}`, import.meta.url), 'utf8')

interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string; readonly namespace?: string }
  readonly spec?: {
    readonly selector?: { readonly matchLabels?: { readonly app: string }; readonly app?: string }
    readonly template?: { readonly metadata: { readonly labels: { readonly app: string } }; readonly spec: Pod }
    readonly podSelector?: { readonly matchLabels: { readonly app: string } }
    readonly ports?: readonly { readonly port: number; readonly targetPort?: number }[]
  }
}
interface Pod {
  readonly containers: readonly {
    readonly command?: readonly string[]
    readonly env?: readonly { readonly name: string }[]
    readonly ports?: readonly { readonly containerPort: number }[]
  }[]
}
const manifests = parseAllDocuments(read('kubernetes.yaml')).map(document => document.toJS() as Manifest)
const pods = manifests.flatMap(({ spec }) => (spec?.template ? [spec.template] : []))
const compose = parse(read('compose.yaml'), { merge: true }) as {
  readonly services: Record<
    string,
    {
      readonly command?: readonly string[]
      readonly environment?: Record<string, string>
      readonly depends_on?: object
    }
  >
}

/** Names out of `process.env` that a program of deploy/ reads, with those of the agent. */
const readBy = (program: string): string[] =>
  [...`${read(program)}${read('agent.mjs')}`.matchAll(/const \{ ([^}]*) \} = process\.env/g)].flatMap(
    ([, names = '']) => names.split(', ').map(name => name.split(' ')[0] ?? ''),
  )

test('every manifest has a kind, a name and the namespace', () => {
  for (const { apiVersion, kind, metadata } of manifests) {
    expect(apiVersion).toMatch(/^(v1|apps\/v1|batch\/v1|networking\.k8s\.io\/v1)$/)
    expect(kind === 'Namespace' ? metadata.name : metadata.namespace).toBe('turnbuckle')
  }
})

test('every selector finds a pod, and every port of a service is one of the pod', () => {
  for (const { kind, spec } of manifests) {
    const app = spec?.selector?.matchLabels?.app ?? spec?.selector?.app ?? spec?.podSelector?.matchLabels.app
    if (!app) continue
    const pod = pods.find(({ metadata }) => metadata.labels.app === app)
    expect(pod, app).toBeDefined()
    const ports = pod?.spec.containers.flatMap(container => container.ports?.map(port => port.containerPort) ?? [])
    if (kind === 'Service')
      for (const { port, targetPort = port } of spec?.ports ?? []) expect(ports).toContain(targetPort)
  }
})

test('programs are given only what they read', () => {
  const programs = [
    ...pods.flatMap(({ spec }) =>
      spec.containers.map(({ command, env }) => ({ command, names: env?.map(({ name }) => name) })),
    ),
    ...Object.values(compose.services).map(({ command, environment }) => ({
      command,
      names: Object.keys(environment ?? {}),
    })),
  ]
  const ours = programs.filter(({ command }) => command?.[0] === 'node')
  expect(ours).toHaveLength(4)
  for (const { command, names = [] } of ours) {
    const known = readBy(command?.[1]?.replace('deploy/', '') ?? '')
    for (const name of names) expect(known, command?.[1]).toContain(name)
  }
})

test('services of the compose file depend only on services that are there', () => {
  const names = Object.keys(compose.services)
  for (const { depends_on: needed = [] } of Object.values(compose.services))
    for (const name of Array.isArray(needed) ? needed : Object.keys(needed)) expect(names).toContain(name)
})

test('the image has the driver of PostgreSQL and the packages of models, in the versions that are tested', () => {
  const lock = JSON.parse(read('../package-lock.json')) as { packages: Record<string, { version: string }> }
  const named = [...read('Dockerfile').matchAll(/(\S+)@(\d\S*)/g)].map(([, name = '', version]) => [name, version])
  expect(named.map(([name]) => name)).toEqual(expect.arrayContaining(['pg', '@ai-sdk/anthropic', '@ai-sdk/openai']))
  for (const [name, version] of named) expect(lock.packages[`node_modules/${name}`]?.version, name).toBe(version)
})

test('Restate finds its data again in another container: its folder has a name of its own', () => {
  expect(compose.services['restate']?.environment).toHaveProperty('RESTATE_NODE_NAME')
  expect(manifests.find(({ metadata, kind }) => metadata.name === 'restate' && kind !== 'Service')?.kind).toBe(
    'StatefulSet',
  )
})
