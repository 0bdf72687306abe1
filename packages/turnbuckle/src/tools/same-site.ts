/** The same host, but for `www.`, and port. From http to https a site may lead to itself, as most do; not back. */
export function isSameSite(from: URL, to: URL): boolean {
  const isSecured = from.protocol === 'http:' && to.protocol === 'https:' && !from.port && !to.port
  const isSameDoor = from.protocol === to.protocol && from.port === to.port
  return (isSameDoor || isSecured) && hostOf(from) === hostOf(to)
}
const hostOf = ({ hostname }: URL): string => hostname.replace(/^www\./, '')
