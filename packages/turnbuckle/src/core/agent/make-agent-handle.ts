import type { AgentCore, AgentHandle } from '../types/agent-core.ts'

/** Makes the agent as a developer holds it, from `depth` turns inside each other. */
export function makeAgentHandle(core: AgentCore, depth: number): AgentHandle {
  const handle: AgentHandle = {
    name: core.name,
    get model() {
      return core.model()
    },
    pipeline: core.pipeline,
    conversation: from => core.conversation(from, depth),
    open: id => core.open(id, depth),
    resume: (id, turnId) => core.resume(id, depth, turnId),
    durable: core.durable,
    close: () => core.close(),
    send: (input, options) => core.conversation(undefined, depth).send(input, options),
    use: added => core.use(added),
    hooks: point => core.hooksAt(point),
    enable: (name, conversationId) => core.switch(name, true, conversationId),
    disable: (name, conversationId) => core.switch(name, false, conversationId),
    get middleware() {
      return core.middleware
    },
    get tools() {
      return core.tools
    },
  }
  return Object.defineProperty(handle, behind, { value: core })
}

/** Not a WeakMap: where there are thousands of agents, each collection of garbage would go through it. */
const behind = Symbol('agent')

/** The agent behind a handle; undefined for one that was made another way. */
export const agentCoreOf = (handle: AgentHandle): AgentCore | undefined =>
  (handle as { readonly [behind]?: AgentCore })[behind]
