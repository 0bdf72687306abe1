import type { WireMiddleware } from 'turnbuckle/client'
import { useAppState } from '../../state/app-state.ts'
import { callServer } from '../../state/call-server.ts'

/** Reads the middleware with its switches and figures. */
export async function loadMiddleware(): Promise<void> {
  const middleware = await callServer(client => client.middleware())
  if (middleware) useAppState.setState({ middleware })
}

/** True where a middleware works in a conversation; without one, in new ones. */
export const isOnIn = ({ enabled, inConversations }: WireMiddleware, conversationId: string | undefined): boolean =>
  (conversationId === undefined ? undefined : inConversations?.[conversationId]) ?? enabled

/** For whom a middleware is switched. */
export type SwitchScope = WireMiddleware['switchable'][number]

/** Switches a middleware off: in the open conversation, or for everyone. */
export async function switchOff(name: string, scope: SwitchScope): Promise<void> {
  const { openId } = useAppState.getState()
  await callServer(client => client.switchMiddleware(name, false, scope === 'everyone' ? undefined : openId))
  await loadMiddleware()
}

/** Switches a middleware on for the open conversation: there, and for everyone where that is what keeps it off. */
export async function switchOn({ name, enabled, inConversations, switchable }: WireMiddleware): Promise<void> {
  const { openId } = useAppState.getState()
  if (!enabled && switchable.includes('everyone')) await callServer(client => client.switchMiddleware(name, true))
  if (openId !== undefined && (inConversations?.[openId] === false || (!enabled && !switchable.includes('everyone'))))
    await callServer(client => client.switchMiddleware(name, true, openId))
  await loadMiddleware()
}
