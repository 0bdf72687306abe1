import { ClientError } from 'turnbuckle/client'
import { rememberFile } from '../../files/file-urls.ts'
import { scaleImage } from '../../files/scale-image.ts'
import { type DraftFile, useAppState } from '../../state/app-state.ts'
import { changeDraftFile } from '../../state/drafts.ts'
import { randomId } from '../../state/random-id.ts'
import { showNotice } from '../../state/show-notice.ts'

const { getState: get, setState: set } = useAppState

/** Bytes that the server takes of one file, and files of one message. */
const [longest, most] = [20 * 1024 * 1024, 20]

/** The problem of a file that no second attempt makes smaller. */
export const tooLarge = 'Larger than 20 MB'

/** Uploads that are under way or have failed, by the key of their file. */
const uploads = new Map<string, { readonly file: File; readonly done: Promise<void> }>()

/** Attaches files to the draft, and uploads them at once: pictures scaled down, each file up to 20 MiB. */
export function attachFiles(list: Iterable<File>): void {
  const { draft } = get()
  const files = [...list].slice(0, most - draft.files.length)
  if (files.length < [...list].length) showNotice(`A message has at most ${most} files.`)
  const added = files.map((file): [DraftFile, File] => [
    { key: randomId(), name: file.name || 'pasted', mediaType: file.type || 'application/octet-stream' },
    file,
  ])
  set({ draft: { ...draft, files: [...draft.files, ...added.map(([one]) => one)] } })
  for (const [{ key }, file] of added) begin(key, file)
}

/** Uploads a file that failed once more. */
export function retryUpload(key: string): void {
  const known = uploads.get(key)
  if (!known) return
  changeDraftFile(key, ({ problem: _, ...file }) => file)
  begin(key, known.file)
}

/** Resolves when the uploads of these files are over, well or not. */
export const untilUploaded = async (files: readonly DraftFile[]): Promise<void> =>
  void (await Promise.all(files.map(({ key }) => uploads.get(key)?.done)))

function begin(key: string, file: File): void {
  uploads.set(key, { file, done: upload(key, file) })
}

async function upload(key: string, file: File): Promise<void> {
  try {
    const blob = await scaleImage(file)
    if (blob.size > longest) throw new Error(tooLarge)
    const { client } = get()
    const uploaded = await client?.uploadFile(blob, file.name || undefined)
    if (!uploaded) throw new Error('Not signed in')
    rememberFile(uploaded.id, blob)
    uploads.delete(key)
    changeDraftFile(key, one => ({ ...one, mediaType: blob.type || one.mediaType, id: uploaded.id }))
  } catch (error) {
    const problem = error instanceof ClientError || error instanceof Error ? error.message : String(error)
    changeDraftFile(key, one => ({ ...one, problem }))
  }
}
