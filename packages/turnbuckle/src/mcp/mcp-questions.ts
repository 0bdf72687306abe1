import { type Middleware, middleware } from '../core/hooks/middleware.ts'
import type { Tool } from '../core/types/tool.ts'
import type { OpenCalls } from './open-calls.ts'

/** Keeps the context of each call of a server's tool while it runs, so that what the server asks reaches the call's person. */
export function mcpQuestions(name: string, tools: readonly Tool[], calls: OpenCalls): Middleware[] {
  if (!tools.length) return []
  return [
    middleware({
      name: `${name}-questions`,
      description: 'Brings what the MCP server asks during a call to the call’s person.',
      // The innermost wrap: another call that a wrap around it makes is the one that runs.
      priority: Number.MAX_SAFE_INTEGER,
      tools: tools.map(tool => tool.name),
      async wrapTool(ctx, next) {
        const end = calls.open(ctx)
        try {
          return await next()
        } finally {
          end()
        }
      },
    }),
  ]
}
