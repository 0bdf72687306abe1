import type {
  AuthProvider,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
  Transport,
} from '@modelcontextprotocol/client'

/** How this program signs in to a server that wants it (OAuth 2.1). */
export interface McpOAuth {
  /** `browser`, the default: an address to open on this machine. `device`: an address to open anywhere, and a code to type there. */
  readonly flow?: 'browser' | 'device'
  /** The id that the server's owner gave this program. Without it the program registers itself. */
  readonly clientId?: string
  /** The secret that goes with `clientId`, where there is one. */
  readonly clientSecret?: string
  /** An https address of a document about this program, for servers that take one instead of a registration. */
  readonly clientMetadataUrl?: string
  /** The rights to ask for. By default those that the server names. */
  readonly scope?: string
  /** The port that the browser comes back to, where it has to be a registered one. A free one by default. */
  readonly port?: number
}

/** The address at which a person signs in, and for the device flow the code to type there. */
export interface McpSignInPrompt {
  /** The server's name. */
  readonly server: string
  /** The address to open. */
  readonly url: string
  /** The code to type there: device flow only. */
  readonly code?: string
}

/** Keeps what a sign-in gave: tokens are secrets, so keep them where only the person can read them. */
export interface McpCredentialStore {
  /** The credentials for a server's address, as text. */
  get(url: string): string | undefined | Promise<string | undefined>
  /** Keeps the credentials for a server's address; undefined forgets them. */
  set(url: string, credentials: string | undefined): void | Promise<void>
}

/** The way to people who can sign in. */
export interface McpSignIn {
  /** Shows a person where to sign in. Without it a server that wants a new sign-in is listed as failed. */
  readonly show?: (prompt: McpSignInPrompt) => void | Promise<void>
  /** Keeps tokens between two starts. In memory by default. */
  readonly store?: McpCredentialStore
  /** Milliseconds that a person has to sign in. Ten minutes by default. */
  readonly timeout?: number
}

/** A way to sign in, for one server. */
export interface SignInFlow {
  readonly provider: AuthProvider | OAuthClientProvider
  /** Called before each connection. */
  prepare(): Promise<void>
  /** Waits until the person has signed in; the transport was refused. */
  finish(transport: Transport): Promise<void>
  /** Ends the wait for a person. */
  close(): void
}

/** Everything that a flow needs to know. */
export interface SignInTerms {
  readonly server: string
  readonly url: string
  readonly oauth: McpOAuth
  readonly signIn: McpSignIn
  readonly credentials: Credentials
}

interface Kept {
  readonly tokens?: StoredOAuthTokens | undefined
  readonly client?: StoredOAuthClientInformation | undefined
  /** The address that the registered client comes back to. */
  readonly redirectUrl?: string | undefined
  readonly discovery?: OAuthDiscoveryState | undefined
}

/** The credentials for one server, by its address: a server of the same name elsewhere must not get them. */
export class Credentials {
  readonly #store: McpCredentialStore
  readonly #url: string

  constructor(store: McpCredentialStore, url: string) {
    this.#store = store
    this.#url = new URL(url).href
  }

  async read(): Promise<Kept> {
    const text = await this.#store.get(this.#url)
    try {
      return text ? (JSON.parse(text) as Kept) : {}
    } catch {
      return {}
    }
  }
  async write(change: Kept): Promise<void> {
    await this.#store.set(this.#url, JSON.stringify({ ...(await this.read()), ...change }))
  }
}

export function memoryCredentials(): McpCredentialStore {
  const kept = new Map<string, string>()
  return {
    get: url => kept.get(url),
    set: (url, credentials) => void (credentials === undefined ? kept.delete(url) : kept.set(url, credentials)),
  }
}

/** The program, as it is told to whoever signs people in. */
export const aboutProgram = (
  oauth: McpOAuth,
  grants: readonly string[],
  redirectUrls: readonly string[],
): OAuthClientMetadata => ({
  client_name: 'Turnbuckle',
  redirect_uris: [...redirectUrls],
  grant_types: [...grants, 'refresh_token'],
  response_types: redirectUrls.length ? ['code'] : [],
  token_endpoint_auth_method: oauth.clientSecret === undefined ? 'none' : 'client_secret_basic',
  ...(oauth.scope === undefined ? {} : { scope: oauth.scope }),
})

/** The client that the settings name, if they do. */
export const givenClient = ({ clientId, clientSecret }: McpOAuth): StoredOAuthClientInformation | undefined =>
  clientId === undefined
    ? undefined
    : { client_id: clientId, ...(clientSecret === undefined ? {} : { client_secret: clientSecret }) }

export const tenMinutes = 600_000
