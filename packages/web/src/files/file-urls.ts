/** Object URLs of files by id, the one asked for last at the end. */
const urls = new Map<string, string>()
const most = 200

/** Keeps a file that this page has, so that it need not be asked for. Returns an address that only this page can read. */
export function rememberFile(id: string, blob: Blob): string {
  const url = urls.get(id) ?? URL.createObjectURL(drawnOnly(blob))
  urls.delete(id)
  urls.set(id, url)
  const [oldest] = urls
  if (oldest && urls.size > most) {
    URL.revokeObjectURL(oldest[1])
    urls.delete(oldest[0])
  }
  return url
}

/** The address of a file, read once. */
export const fileUrl = async (id: string, read: (id: string) => Promise<Blob>): Promise<string> =>
  urls.get(id) ?? rememberFile(id, await read(id))

const drawn = /^image\/(png|jpeg|gif|webp|avif)$/

/** An object URL has the origin of this page: a file that a browser might run gets a type that it only saves. */
const drawnOnly = (blob: Blob): Blob =>
  drawn.test(blob.type) ? blob : new Blob([blob], { type: 'application/octet-stream' })
