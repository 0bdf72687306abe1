import { type Agent, createAgent, type Model } from 'turnbuckle'
import { approval } from 'turnbuckle/middleware'
import type { ConversationStore } from 'turnbuckle/stores'
import { scriptedModel } from 'turnbuckle/testing'
import { add, callsAdd } from './adding.ts'

export const callsHelper = { calls: [{ name: 'helper', args: { task: 'add' } }] }

/** A sub-agent that adds, and asks first. Without a store its conversations are in memory. */
export const createHelper = (store?: ConversationStore, model: Model = scriptedModel([callsAdd, 'Five.'])): Agent =>
  createAgent({ model, ...(store ? { store } : {}), tools: [add], use: [approval()], name: 'helper' })
