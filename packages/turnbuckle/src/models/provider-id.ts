/** The strictest of the providers: letters, digits, `_` and `-`, at most forty. */
const allowed = /^[\w-]{1,40}$/

/** A call's id in a form that every provider takes; the same for the same id. */
export const providerId = (id: string): string => (allowed.test(id) ? id : `call_${hash(id, 0)}${hash(id, 1)}`)

/** A tool's name in a form that every provider takes. Ours may have dots and colons, and may be longer. */
export const providerName = (name: string): string =>
  /^[\w-]{1,64}$/.test(name) ? name : `${name.replace(/[^\w-]/g, '_').slice(0, 55)}_${hash(name, 0)}`

/** FNV-1a. */
function hash(text: string, seed: number): string {
  let value = 0x811c9dc5 ^ seed
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193)
  return (value >>> 0).toString(16).padStart(8, '0')
}
