/** Headers of every answer. Scripts, styles, images and frames come from this server alone; no page may frame it. */
const safeHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
}

/**
 * Headers of an answer to a request with these. Browsers say `sec-fetch-site` to origins that they trust, those of HTTPS and of this machine, also
 * through a proxy; on others they refuse the opener policy and complain in the console.
 */
export const headersFor = (request: { readonly fetchSite: string | undefined }): Readonly<Record<string, string>> =>
  request.fetchSite === undefined ? safeHeaders : trustedHeaders

const trustedHeaders = { ...safeHeaders, 'cross-origin-opener-policy': 'same-origin' }

/**
 * Policy of the frame that draws diagrams in the web app. Its SVG has styles of its own, so styles may stand in the text
 * there; in turn it connects to nothing, and only our own page may frame it.
 */
export const diagramPolicy: string = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ')
