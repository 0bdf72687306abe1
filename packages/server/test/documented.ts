import { calls } from '../src/http/contract.ts'
import { openApi } from '../src/http/openapi.ts'

interface Operation {
  readonly operationId: string
  readonly responses: Record<string, { readonly description: string }>
}
const { paths } = openApi() as unknown as { paths: Record<string, Record<string, Operation>> }
const routes = Object.entries(paths).map(([path, methods]) => ({
  methods,
  pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
}))

/** Throws when the document does not say that a call may be answered so. */
export function checkDocumented(method: string, url: string, status: number, body: unknown): void {
  const path = url.split('?')[0] ?? ''
  const operation = routes.find(({ pattern }) => pattern.test(path))?.methods[method.toLowerCase()]
  if (!operation) return
  const described = operation.responses[status]
  if (!described) throw new Error(`${method} ${path} answered ${status}, which is not documented.`)
  const code = (body as { error?: { code?: string } } | undefined)?.error?.code
  if (code !== undefined && !described.description.split(', ').includes(code))
    throw new Error(`${method} ${path} answered ${status} ${code}, which is not documented.`)
  const call = (calls as Record<string, { status: number; answer?: { parse(value: unknown): unknown } }>)[
    operation.operationId
  ]
  if (call?.status === status) call.answer?.parse(body)
}
