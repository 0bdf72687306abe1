import type { Attachment } from 'turnbuckle/client'

/** A message is at most one MiB, and base64 takes a third more. */
const most = 700_000

export async function readFiles(files: Iterable<File>): Promise<Attachment[]> {
  const list = [...files]
  const total = list.reduce((sum, file) => sum + file.size, 0)
  if (total > most)
    throw new Error(`Files up to ${most / 1000} kB in all can be attached; these have ${Math.ceil(total / 1000)} kB.`)
  return Promise.all(
    list.map(async file => ({
      mediaType: file.type || 'application/octet-stream',
      name: file.name,
      data: await base64(file),
    })),
  )
}

function base64(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''))
    reader.onerror = () => reject(new Error(`${file.name} cannot be read.`))
    reader.readAsDataURL(file)
  })
}
