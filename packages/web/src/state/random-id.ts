/** An id of 128 random bits. Works on an insecure origin, which has no `crypto.randomUUID`: plain HTTP under a LAN name. */
export const randomId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('')
