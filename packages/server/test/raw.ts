import { request as httpRequest } from 'node:http'

/** What came back, as it came. */
export interface Raw {
  readonly status: number
  readonly headers: Record<string, string | string[] | undefined>
  readonly text: string
}
/** Plain HTTP, without what fetch adds or forbids. */
export function raw(
  server: { readonly url: string },
  method: string,
  path: string,
  headers: Record<string, string>,
  chunks: readonly string[] = [],
): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(`${server.url}${path}`, { method, headers }, response => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', chunk => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
    })
    request.on('error', reject)
    for (const chunk of chunks) request.write(chunk)
    request.end()
  })
}

export const token = { authorization: 'Bearer secret' }
