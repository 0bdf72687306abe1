import type { AuthProvider, FetchLike, OAuthClientProvider, Transport } from '@modelcontextprotocol/client'

/** Headers, or a function that is asked for them before each request, and once more when the server has refused those it gave (401). */
export type McpHeaders =
  | Readonly<Record<string, string>>
  | ((why: {
      readonly refused: boolean
    }) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>)

interface Address {
  readonly url: string
  readonly headers?: McpHeaders
}

/** The transport to a server at an address: streamable HTTP, or the two connections of the revision of 2024. */
export async function httpTransport(
  { url, headers }: Address,
  kind: 'http' | 'sse',
  authProvider: AuthProvider | OAuthClientProvider | undefined,
): Promise<Transport> {
  const { StreamableHTTPClientTransport, SSEClientTransport } = await import('@modelcontextprotocol/client')
  const address = new URL(url)
  const options = {
    ...(headers ? { fetch: fetchWith(headers, address.origin) } : {}),
    ...(authProvider ? { authProvider } : {}),
  }
  return kind === 'http'
    ? new StreamableHTTPClientTransport(address, options)
    : new SSEClientTransport(address, options)
}

/** Adds the headers to requests to the server itself: whoever signs people in for it may be somebody else, and gets none. */
function fetchWith(headers: McpHeaders, origin: string): FetchLike {
  return async (url, init = {}) => {
    if (new URL(url).origin !== origin) return fetch(url, init)
    const send = async (refused: boolean) => {
      const sent = new Headers(typeof headers === 'function' ? await headers({ refused }) : headers)
      new Headers(init.headers).forEach((value, name) => void sent.set(name, value))
      return fetch(url, { ...init, headers: sent })
    }
    const response = await send(false)
    if (response.status !== 401 || typeof headers !== 'function') return response
    await response.body?.cancel()
    return send(true)
  }
}

/** True where the answer to the first request says that there is nothing of the newer transport. */
export function speaksOnlySse(error: unknown): boolean {
  const { status } = (error ?? {}) as { readonly status?: unknown }
  return status === 400 || status === 404 || status === 405
}
