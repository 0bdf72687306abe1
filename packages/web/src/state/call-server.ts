import { type Client, ClientError } from 'turnbuckle/client'
import { useAppState } from './app-state.ts'
import { showNotice } from './show-notice.ts'

/** Calls the server. A failed call is shown as a notice and gives `undefined`, as does a call before signing in. */
export async function callServer<Result>(work: (client: Client) => Promise<Result>): Promise<Result | undefined> {
  const { client } = useAppState.getState()
  if (!client) return undefined
  try {
    return await work(client)
  } catch (error) {
    showNotice(error instanceof ClientError ? error.message : String(error))
    return undefined
  }
}
