import type { OAuthClientMetadata, OAuthClientProvider, Transport } from '@modelcontextprotocol/client'
import { TurnbuckleError } from '../core/base/errors.ts'
import { freePort, LoopbackCallback } from './loopback-callback.ts'
import { aboutProgram, givenClient, type SignInFlow, type SignInTerms, tenMinutes } from './sign-in.ts'

/** A transport that can change the code of a sign-in into tokens: both of the SDK's. */
interface Authorizing extends Transport {
  finishAuth(params: URLSearchParams): Promise<void>
}

/** OAuth with a browser on this machine, which comes back to a port of this process. */
export class BrowserSignIn implements SignInFlow {
  readonly #terms: SignInTerms
  #redirectUrl = ''
  #state = ''
  #verifier = ''
  #callback: LoopbackCallback | undefined

  constructor(terms: SignInTerms) {
    this.#terms = terms
  }

  /** A registered client keeps its port: many servers take no other. */
  async prepare(): Promise<void> {
    if (this.#redirectUrl) return
    const { oauth, credentials } = this.#terms
    const { redirectUrl } = await credentials.read()
    this.#redirectUrl =
      oauth.port === undefined && redirectUrl
        ? redirectUrl
        : `http://127.0.0.1:${oauth.port ?? (await freePort())}/callback`
  }

  async finish(transport: Transport): Promise<void> {
    const callback = this.#callback
    if (!callback) throw new TurnbuckleError('mcp.signIn', `"${this.#terms.server}" needs a sign-in.`)
    try {
      await (transport as Authorizing).finishAuth(await callback.params)
    } finally {
      this.close()
    }
  }

  close(): void {
    this.#callback?.close()
    this.#callback = undefined
  }

  get provider(): OAuthClientProvider {
    const { oauth, credentials } = this.#terms
    const metadata = (): OAuthClientMetadata => aboutProgram(oauth, ['authorization_code'], [this.#redirectUrl])
    const redirectUrl = () => this.#redirectUrl
    return {
      get redirectUrl() {
        return redirectUrl()
      },
      get clientMetadata() {
        return metadata()
      },
      ...(oauth.clientMetadataUrl === undefined ? {} : { clientMetadataUrl: oauth.clientMetadataUrl }),
      state: () => {
        this.#state = crypto.randomUUID()
        return this.#state
      },
      clientInformation: async () => givenClient(oauth) ?? (await this.#registered()),
      saveClientInformation: client => credentials.write({ client, redirectUrl: this.#redirectUrl }),
      tokens: async () => (await credentials.read()).tokens,
      saveTokens: tokens => credentials.write({ tokens }),
      redirectToAuthorization: url => this.#show(url),
      saveCodeVerifier: verifier => {
        this.#verifier = verifier
      },
      codeVerifier: () => this.#verifier,
      saveDiscoveryState: discovery => credentials.write({ discovery }),
      discoveryState: async () => (this.#callback ? (await credentials.read()).discovery : undefined),
      invalidateCredentials: scope =>
        credentials.write({
          ...(scope === 'all' || scope === 'client' ? { client: undefined, redirectUrl: undefined } : {}),
          ...(scope === 'all' || scope === 'tokens' ? { tokens: undefined } : {}),
          ...(scope === 'all' || scope === 'discovery' ? { discovery: undefined } : {}),
        }),
    }
  }

  /** A client that was registered with another address to come back to is of no use. */
  async #registered() {
    const { client, redirectUrl } = await this.#terms.credentials.read()
    return redirectUrl === this.#redirectUrl ? client : undefined
  }

  async #show(url: URL): Promise<void> {
    const { server, signIn } = this.#terms
    const { show, timeout = tenMinutes } = signIn
    if (!show) throw new TurnbuckleError('mcp.signIn', `"${server}" needs a sign-in, and nobody is here to do it.`)
    this.close()
    this.#callback = await LoopbackCallback.open(new URL(this.#redirectUrl), this.#state, timeout)
    await show({ server, url: url.href })
  }
}
