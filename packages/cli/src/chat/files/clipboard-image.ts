import { spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Programs that give the image in the clipboard on their output, where they are installed. */
const readers: readonly (readonly [program: string, ...args: string[]])[] = [
  ['wl-paste', '--no-newline', '--type', 'image/png'],
  ['xclip', '-selection', 'clipboard', '-target', 'image/png', '-out'],
  ['pngpaste', '-'],
]

const png = Buffer.from([0x89, 0x50, 0x4e, 0x47])

/** The image in the clipboard as a file in a folder of its own, or why there is none. */
export function clipboardImage(): { readonly path: string } | { readonly problem: string } {
  let problem = 'No program for the clipboard: install wl-paste, xclip or pngpaste.'
  for (const [program, ...args] of readers) {
    const { stdout, error } = spawnSync(program, args, { timeout: 2000, maxBuffer: 30_000_000 })
    if ((error as NodeJS.ErrnoException | undefined)?.code !== 'ENOENT') problem = 'There is no image in the clipboard.'
    if (!stdout?.subarray(0, png.length).equals(png)) continue
    const path = join(mkdtempSync(join(tmpdir(), 'turnbuckle-image-')), 'pasted.png')
    writeFileSync(path, stdout, { mode: 0o600 })
    return { path }
  }
  return { problem }
}
