const secret =
  /(^|_)(API_?KEY|KEY|KEYS|TOKEN|TOKENS|SECRET|SECRETS|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|AUTH|COOKIE|SESSION)(_|$)|^TURNBUCKLE_|_BASE_URL$/i
const kept: ReadonlySet<string> = new Set(['SSH_AUTH_SOCK', 'XDG_SESSION_TYPE', 'DESKTOP_SESSION'])

/** The environment for a command: without the server's token, the providers' keys and whatever else is named like a secret. */
export function commandEnvironment(
  given: NodeJS.ProcessEnv = process.env,
  more: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const env: Record<string, string> = {}
  for (const [name, value] of Object.entries(given))
    if (value !== undefined && (kept.has(name) || !secret.test(name))) env[name] = value
  // No pager and no colours: nobody is at the other end.
  return { ...env, PAGER: 'cat', GIT_PAGER: 'cat', NO_COLOR: '1', TERM: 'dumb', ...more }
}
