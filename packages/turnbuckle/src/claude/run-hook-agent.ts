import { Conversation } from '../core/agent/conversation.ts'
import { TurnbuckleError } from '../core/base/errors.ts'
import type { Model } from '../core/base/ports.ts'
import { HookContext } from '../core/context/hook-context.ts'
import type { Context } from '../core/hooks/hook-types.ts'
import { createAgent } from '../create-agent.ts'
import { workspaceTools } from '../tools/workspace-tools.ts'

/** The most steps of an agent that judges an event. */
const maxSteps = 50
const instructions =
  'You check a condition about a project. Look into its files where that helps, then answer as you are told.'

/**
 * Gives a question to a sub-agent that can list, search and read the project's files, and its answer's text. The turn's guards hold in it, its
 * usage counts in the turn, and no hooks of Claude Code run for its calls.
 */
export async function runHookAgent(
  ctx: Context,
  prompt: string,
  { model, root, ms }: { readonly model: Model; readonly root: string; readonly ms: number },
): Promise<string> {
  const agent = createAgent({
    name: 'hook',
    model,
    instructions,
    tools: workspaceTools({ root, files: 'read' }),
    maxSteps,
  })
  const signal = AbortSignal.any([ctx.signal, AbortSignal.timeout(ms)])
  const turn = Conversation.sendFor(HookContext.frameOf(ctx).turn, agent.conversation(), prompt, { signal })
  const { status, reason, text } = await turn.settled
  if (status === 'completed') return text
  throw new TurnbuckleError(`agent.${status}`, `its agent was ${status}: ${reason}`)
}
