/** An error in the form that OpenAI's clients read. */
export interface OpenAiError {
  readonly error: { readonly message: string; readonly type: string; readonly param: null; readonly code: string }
}

const types: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
}

/** The error of a call, by its status, in OpenAI's form. The code stays the server's own. */
export function openAiError(status: number, { code, message }: { code: string; message: string }): OpenAiError {
  const type = types[status] ?? (status >= 500 ? 'server_error' : 'invalid_request_error')
  return { error: { message, type, param: null, code } }
}
