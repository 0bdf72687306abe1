// The program that the conformance suite's client scenarios start: it connects to the address in its last argument and calls the tools.
import { ClientCredentialsProvider, PrivateKeyJwtProvider } from '@modelcontextprotocol/client'
import { createAgent } from 'turnbuckle'
import { connectMcp, type Mcp, type McpServer } from 'turnbuckle/mcp'
import { scriptedModel } from 'turnbuckle/testing'

interface Call {
  readonly name: string
  readonly arguments: unknown
}

interface Schema {
  readonly type?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly enum?: readonly unknown[]
}

const url = process.argv.at(-1) ?? ''
const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? ''
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}') as Readonly<Record<string, string>> & {
  readonly toolCalls?: readonly Call[]
}

/** The suite's browser: it follows the address at once, and comes back with a code. */
const show = async ({ url }: { readonly url: string }) => {
  await fetch(url)
}

function describeServer(): McpServer {
  const { client_id: clientId, client_secret: clientSecret } = context
  if (scenario === 'auth/client-credentials-basic')
    return { url, auth: new ClientCredentialsProvider({ clientId: clientId ?? '', clientSecret: clientSecret ?? '' }) }
  if (scenario === 'auth/client-credentials-jwt') {
    const { private_key_pem: privateKey = '', signing_algorithm: algorithm = 'ES256' } = context
    return { url, auth: new PrivateKeyJwtProvider({ clientId: clientId ?? '', privateKey, algorithm }) }
  }
  const document = 'https://conformance-test.local/client-metadata.json'
  return {
    url,
    oauth: {
      ...(scenario === 'auth/basic-cimd' ? { clientMetadataUrl: document } : {}),
      ...(clientId === undefined ? {} : { clientId }),
      ...(clientSecret === undefined ? {} : { clientSecret }),
    },
  }
}

/** A value that fits a schema. */
function example({ type, properties = {}, required = [], enum: choices }: Schema): unknown {
  if (choices) return choices[0]
  if (type === 'object')
    return Object.fromEntries(required.map(name => [name, example(properties[name] ?? { type: 'string' })]))
  if (type === 'boolean') return true
  return type === 'number' || type === 'integer' ? 5 : 'text'
}

/** The calls that the scenario names, or one of each tool. */
function callsOf({ tools }: Mcp): readonly Call[] {
  if (context.toolCalls) return context.toolCalls
  const own = tools.filter(({ name }) => name !== 'list_resources' && name !== 'read_resource')
  const told = own.find(({ name }) => name === 'json_schema_2020_12_tool')
  return own.map(({ name, schema }) => ({
    name,
    arguments: name === 'json_schema_echo' ? { schema: told?.schema } : example(schema as Schema),
  }))
}

async function makeCall(mcp: Mcp, call: Call): Promise<void> {
  const agent = createAgent({ model: scriptedModel([{ calls: [{ name: call.name, args: call.arguments }] }, 'ok']) })
  const detach = mcp.attach(agent)
  const turn = agent.send('go')
  for await (const event of turn)
    if (event.type === 'request.opened') {
      const { schema = {} } = event.payload as { readonly schema?: Schema }
      turn.answer(event.requestId, event.kind === 'permission' ? { decision: 'allow' } : example(schema))
    }
  detach()
}

const mcp = await connectMcp({ it: describeServer() }, { prefix: false, signIn: { show, timeout: 20_000 } })
const [{ status, error } = { status: 'failed' }] = mcp.servers
if (status !== 'ready') {
  console.error(error)
  process.exitCode = 1
}
for (const call of callsOf(mcp)) await makeCall(mcp, call)
await mcp.close()
