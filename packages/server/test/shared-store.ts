import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Middleware, type Model, middleware } from 'turnbuckle'
import { type ConversationStore, postgresStore, sqliteStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import { startPostgres, type TestPostgres } from '../../turnbuckle/test/postgres.ts'
import type { ServerOptions } from '../src/index.ts'
import { gate, type Served, serve } from './serve.ts'

export const kinds = ['sqlite', 'postgres'] as const
type Open = () => ConversationStore
export type Sharing = Served & { readonly store: ConversationStore }

/**
 * One place to keep conversations, opened by each server on its own; `waitMs` is how long one waits for the other, `isHeard` whether they
 * hear of each other at once where the store can do that. For all tests of a file.
 */
export function sharedStores() {
  let postgres: TestPostgres
  beforeAll(async () => {
    postgres = await startPostgres()
  })
  afterAll(() => postgres.stop())
  return async (kind: (typeof kinds)[number], waitMs: number, leaseMs = 60_000, isHeard = false): Promise<Open> => {
    const patience = { leaseMs, waitMs }
    if (kind === 'postgres') {
      const url = await postgres.schema('servers')
      return () => postgresStore(url, { ...patience, ...(isHeard ? {} : { listen: false }) })
    }
    const folder = mkdtempSync(join(tmpdir(), 'turnbuckle-two-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    return () => sqliteStore(join(folder, 'conversations.db'), patience)
  }
}

interface StartOptions extends Partial<ServerOptions> {
  readonly model: Model
  readonly use?: readonly Middleware[]
}
export async function startOn(open: Open, { model, use = [], ...options }: StartOptions): Promise<Sharing> {
  const store = open()
  const server = await serve({ model, store, use }, { store, ...options })
  onTestFinished(async () => {
    await server.close()
    await server.agent.close()
    await store.close()
  })
  return { ...server, store }
}
export const start = (open: Open, model: Model, ...use: readonly Middleware[]): Promise<Sharing> =>
  startOn(open, { model, use })

/** Another one that says always the same. */
export const says = (open: Open, text: string, ...use: readonly Middleware[]): Promise<Sharing> =>
  start(open, scriptedModel([text], { repeat: true }), ...use)

export const contiguous = (events: readonly { seq: number }[]): void =>
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1))

export const asks = middleware({ name: 'asks', beforeTurn: async ctx => void (await ctx.ask('clarification', {})) })

/** From now on it does not say that it still works on anything, as if it were gone. */
export const fallSilent = ({ store: { driver } }: { readonly store: ConversationStore }): void => {
  driver.renew = () => true
}

/** From now on it takes no answers that others hand to it, as if it hung. */
export const takeNoAnswers = ({ store: { driver } }: { readonly store: ConversationStore }): void => {
  const entries = driver.entries.bind(driver)
  driver.entries = space => (space === 'desk.answers' ? [] : entries(space))
}

/** A server with a turn that waits: for the model, or for a person. */
export async function busy(open: Open, ask: 'model' | 'person', ...use: readonly Middleware[]) {
  const held = gate()
  const model = scriptedModel([() => held.opened.then(() => 'From one.')], { repeat: true })
  const server = await start(open, model, ...(ask === 'person' ? [asks] : []), ...use)
  const id = await server.newConversation()
  const client = await server.follow(id)
  const { turnId } = await client.ask({ type: 'send', conversationId: id, text: 'go' })
  const waits = await client.until(({ type }) => type === (ask === 'person' ? 'request.opened' : 'message.added'))
  return { server, id, client, turnId, requestId: waits.requestId as string, letGo: () => held.open() }
}
