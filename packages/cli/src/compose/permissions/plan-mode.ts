import { block, type Middleware, middleware, skip, type Tool, tool } from 'turnbuckle'

const planTool = 'present_plan'

const instructions =
  'You are in plan mode: look around with the tools that only read, and change nothing. When you know what to do, call ' +
  `${planTool} with the whole plan in Markdown: what you will change, in which files, in which order, and how it will be ` +
  'checked. The person accepts it or says what to change.'

interface PlanAnswer {
  readonly decision: 'allow' | 'deny'
  readonly reason?: string
}

function check(answer: unknown): void {
  const { decision } = (answer ?? {}) as Partial<PlanAnswer>
  if (decision !== 'allow' && decision !== 'deny') throw new Error('Expected { decision: "allow" | "deny", reason? }.')
}

export interface PlanModeOptions {
  /** The agent's tools, as they are at a call. */
  readonly tools: () => readonly Pick<Tool, 'name' | 'readOnly'>[]
  /** The person has accepted a plan; called before the model goes on. */
  readonly accepted: () => void
}

/**
 * Blocks every tool that does not say that it is read-only, until the person accepts a plan. To be used only while the
 * chat is in plan mode. A tool of an MCP server says so itself: what it does is asked about as ever.
 */
export const planMode = ({ tools, accepted }: PlanModeOptions): Middleware =>
  middleware({
    name: 'plan-mode',
    description: 'Blocks what changes something until a person has accepted a plan.',
    priority: 0,
    provides: [
      tool({
        name: planTool,
        description: 'Shows the person your plan, and asks whether you may carry it out.',
        schema: { type: 'object', properties: { plan: { type: 'string' } }, required: ['plan'] },
        run: () => 'The person has left plan mode: go on.',
      }),
    ],
    beforeStep(ctx) {
      ctx.instruct(instructions)
    },
    async beforeTool(ctx) {
      const { name, args } = ctx.call
      const isReading = tools().some(known => known.name === name && known.readOnly)
      if (name !== planTool) return isReading ? undefined : block(blockedText(name))
      const { plan } = (args ?? {}) as { plan?: unknown }
      const asked = { plan: String(plan ?? '') }
      const fallback: PlanAnswer = { decision: 'deny', reason: 'Nobody answered.' }
      const { decision, reason } = await ctx.ask<PlanAnswer>('plan', asked, { check, fallback, timeout: Infinity })
      if (decision === 'deny')
        return skip(`The plan is not accepted${reason ? `: ${reason}` : '.'} Stay in plan mode and change the plan.`)
      accepted()
      return skip('The plan is accepted. Every tool is available now: carry it out.')
    },
  })

const blockedText = (name: string): string =>
  `${name} may change something, and the chat is in plan mode. Only look around, then call ${planTool}.`
