import { TurnbuckleError } from '../core/base/errors.ts'
import { quoted } from './control.ts'
import type { Workspace } from './workspace.ts'

/** A whole text file. Refuses what is too large or no text. */
export async function readText(space: Workspace, path: string, maxBytes: number): Promise<string> {
  const handle = await space.open(path)
  try {
    const { size } = await handle.stat()
    if (size > maxBytes)
      throw new TurnbuckleError('file.large', `${quoted(path)} has ${size} bytes; ${maxBytes} is the limit for text.`)
    // Some files say 0 and are not: those of /proc. No more than the limit is read of any.
    const buffer = Buffer.alloc(Math.min(maxBytes, Math.max(size, 65_536)))
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0)
    const bytes = buffer.subarray(0, bytesRead)
    if (bytes.includes(0)) throw new TurnbuckleError('file.binary', `${quoted(path)} is not text.`)
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) throw new TurnbuckleError('file.binary', `${quoted(path)} is not UTF-8 text.`)
    throw error
  } finally {
    await handle.close()
  }
}
