import { type Files, fileNames } from '../run/protocol.ts'

/** The fragment of a link: a scenario as it is (`#block`), or changed code (`#block/…`, compressed). */
export interface LinkedCode {
  readonly scenario: string
  readonly files?: Files
}

/** Contract: `readLink` of what it gives is the same code. */
export async function writeLink({ scenario, files }: LinkedCode): Promise<string> {
  if (!files) return `#${scenario}`
  const text = JSON.stringify(fileNames.map(name => files[name]))
  return `#${scenario}/${toBase64Url(await through(new TextEncoder().encode(text), new CompressionStream('deflate-raw')))}`
}

/** The code of a fragment; nothing where it has none, or was damaged on its way. */
export async function readLink(fragment: string): Promise<LinkedCode | undefined> {
  const [, scenario, code] = /^#([a-z]+)(?:\/([\w-]+))?$/.exec(fragment) ?? []
  if (!scenario) return undefined
  if (!code) return { scenario }
  try {
    const bytes = await through(fromBase64Url(code), new DecompressionStream('deflate-raw'))
    const [hook, agent] = JSON.parse(new TextDecoder().decode(bytes)) as unknown[]
    if (typeof hook !== 'string' || typeof agent !== 'string') return { scenario }
    return { scenario, files: { 'hook.ts': hook, 'agent.ts': agent } }
  } catch {
    return undefined
  }
}

async function through(bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream) {
  const piped = new Blob([bytes]).stream().pipeThrough(stream)
  return new Uint8Array(await new Response(piped).arrayBuffer())
}

const toBase64Url = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

const fromBase64Url = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), letter => letter.charCodeAt(0))
