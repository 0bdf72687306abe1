import type {
  AuthProvider,
  FetchLike,
  OAuthClientInformationMixed,
  OAuthServerInfo,
  OAuthTokens,
} from '@modelcontextprotocol/client'
import { TurnbuckleError } from '../core/base/errors.ts'
import { aboutProgram, givenClient, type SignInFlow, type SignInTerms, tenMinutes } from './sign-in.ts'

const grant = 'urn:ietf:params:oauth:grant-type:device_code'

interface Issued {
  readonly device_code: string
  readonly user_code: string
  readonly verification_uri: string
  readonly verification_uri_complete?: string
  /** Seconds. */
  readonly expires_in?: number
  /** Seconds between two questions; 5 by default. */
  readonly interval?: number
}

interface Wanted {
  readonly resourceMetadataUrl?: URL | undefined
  readonly scope?: string | undefined
}

type Refused = Parameters<NonNullable<AuthProvider['onUnauthorized']>>[0]

type Sdk = typeof import('@modelcontextprotocol/client')

/** OAuth for a program without a browser (RFC 8628): a person opens an address anywhere and types a code there. */
export class DeviceSignIn implements SignInFlow {
  readonly #terms: SignInTerms
  readonly #closed = new AbortController()
  #wanted: Wanted = {}
  readonly provider: AuthProvider = {
    token: async () => (await this.#terms.credentials.read()).tokens?.access_token,
    onUnauthorized: context => this.#refused(context),
  }

  constructor(terms: SignInTerms) {
    this.#terms = terms
  }

  async prepare(): Promise<void> {}

  close(): void {
    this.#closed.abort()
  }

  /** Refreshes the tokens where that is possible; else a person has to sign in. */
  async #refused({ response }: Refused): Promise<void> {
    const sdk = await import('@modelcontextprotocol/client')
    const { resourceMetadataUrl, scope } = sdk.extractWWWAuthenticateParams(response)
    this.#wanted = { resourceMetadataUrl, scope }
    const { tokens, client } = await this.#terms.credentials.read()
    const known = givenClient(this.#terms.oauth) ?? client
    if (tokens?.refresh_token && known) {
      const info = await this.#discover(sdk)
      const fresh = await sdk
        .refreshAuthorization(info.authorizationServerUrl, {
          ...(info.authorizationServerMetadata ? { metadata: info.authorizationServerMetadata } : {}),
          clientInformation: known,
          refreshToken: tokens.refresh_token,
          resource: this.#resource(sdk, info),
        })
        .catch(() => undefined)
      await this.#terms.credentials.write({ tokens: fresh && { ...tokens, ...fresh } })
      if (fresh) return
    }
    throw new sdk.UnauthorizedError(`"${this.#terms.server}" needs a sign-in.`)
  }

  async finish(): Promise<void> {
    const { server, signIn, credentials } = this.#terms
    if (!signIn.show)
      throw new TurnbuckleError('mcp.signIn', `"${server}" needs a sign-in, and nobody is here to do it.`)
    const sdk = await import('@modelcontextprotocol/client')
    const info = await this.#discover(sdk)
    const metadata = (info.authorizationServerMetadata ?? {}) as Readonly<Record<string, unknown>>
    const { device_authorization_endpoint: endpoint, token_endpoint: tokenEndpoint } = metadata
    if (typeof endpoint !== 'string' || typeof tokenEndpoint !== 'string')
      throw new TurnbuckleError('mcp.signIn', `"${server}" has no sign-in with a code: use the flow "browser".`)
    const client = await this.#client(sdk, info)
    const { scope = this.#wanted.scope } = this.#terms.oauth
    const form = { resource: this.#resource(sdk, info).href, ...(scope === undefined ? {} : { scope }) }
    const issued = (await send(sdk, endpoint, client, form)) as unknown as Issued
    if (!issued.device_code)
      throw new TurnbuckleError('mcp.signIn', `The sign-in to "${server}" was refused: ${JSON.stringify(issued)}`)
    await signIn.show({
      server,
      url: issued.verification_uri_complete ?? issued.verification_uri,
      code: issued.user_code,
    })
    const asked = { grant_type: grant, device_code: issued.device_code, resource: form.resource }
    const tokens = await this.#poll(issued, () => send(sdk, tokenEndpoint, client, asked))
    await credentials.write({ tokens: { ...tokens, issuer: String(metadata.issuer ?? info.authorizationServerUrl) } })
  }

  /** Asks until the person has said yes or no, as often as the server allows. */
  async #poll(issued: Issued, ask: () => Promise<object>): Promise<OAuthTokens> {
    const { timeout = tenMinutes } = this.#terms.signIn
    let waitMs = (issued.interval ?? 5) * 1000
    let leftMs = Math.min(timeout, (issued.expires_in ?? 600) * 1000)
    for (; leftMs > 0; leftMs -= Math.max(waitMs, 1)) {
      await pause(waitMs, this.#closed.signal)
      const answer = (await ask()) as OAuthTokens & { readonly error?: string }
      if (answer.access_token) return answer
      if (answer.error === 'slow_down') waitMs += 5000
      else if (answer.error !== 'authorization_pending')
        throw new TurnbuckleError('mcp.signIn', `The sign-in to "${this.#terms.server}" was refused: ${answer.error}`)
    }
    throw new TurnbuckleError('mcp.signIn', 'Nobody signed in in time.', { kind: 'timeout' })
  }

  #discover(sdk: Sdk): Promise<OAuthServerInfo> {
    const { resourceMetadataUrl } = this.#wanted
    return sdk.discoverOAuthServerInfo(this.#terms.url, resourceMetadataUrl ? { resourceMetadataUrl } : {})
  }

  /** The resource that the tokens are for. One that a server names for somebody else is not believed. */
  #resource(sdk: Sdk, { resourceMetadata }: OAuthServerInfo): URL {
    const own = sdk.resourceUrlFromServerUrl(this.#terms.url)
    const named = resourceMetadata?.resource
    if (named === undefined) return own
    if (sdk.checkResourceAllowed({ requestedResource: own, configuredResource: named })) return new URL(named)
    throw new TurnbuckleError('mcp.signIn', `"${this.#terms.server}" asks for a sign-in to ${named}, which it is not.`)
  }

  async #client(sdk: Sdk, info: OAuthServerInfo): Promise<OAuthClientInformationMixed> {
    const { oauth, credentials } = this.#terms
    const known = givenClient(oauth) ?? (await credentials.read()).client
    if (known) return known
    const { authorizationServerUrl: issuer, authorizationServerMetadata: metadata } = info
    const clientMetadata = aboutProgram(oauth, [grant], [])
    const client = await sdk.registerClient(issuer, { clientMetadata, ...(metadata ? { metadata } : {}) })
    await credentials.write({ client })
    return client
  }
}

/** A form, with the client's name and secret. Answers of errors are answers too: the device flow waits by them. */
async function send(
  sdk: Sdk,
  endpoint: string,
  client: OAuthClientInformationMixed,
  form: Readonly<Record<string, string>>,
): Promise<object> {
  const { client_id, client_secret } = client
  const secret = client_secret === undefined ? {} : { client_secret }
  const body = new URLSearchParams({ ...form, client_id, ...secret })
  const send: FetchLike = fetch
  const response = await send(sdk.assertSecureTokenEndpoint(endpoint), { method: 'POST', body, redirect: 'error' })
  const answer: unknown = await response.json().catch(() => undefined)
  if (typeof answer === 'object' && answer && (response.ok || 'error' in answer)) return answer
  throw new TurnbuckleError('mcp.signIn', `${new URL(endpoint).host} answered ${response.status} to a sign-in.`)
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      reject(new TurnbuckleError('mcp.closed', 'The connection was closed before somebody signed in.'))
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', end)
      resolve()
    }, ms)
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
  })
}
