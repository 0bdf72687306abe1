/** Pixels of a picture's longer side from which on models scale it down themselves; and bytes that it may have. */
const [longestSide, longestBytes] = [2048, 4 * 1024 * 1024]

const scaled = /^image\/(png|jpeg|webp|avif)$/

/** The size of a picture whose longer side has at most `longest` pixels, with its proportions. */
export function fitWithin(width: number, height: number, longest: number): { width: number; height: number } {
  const factor = Math.min(1, longest / Math.max(width, height))
  return { width: Math.max(1, Math.round(width * factor)), height: Math.max(1, Math.round(height * factor)) }
}

/** A picture that is not larger than models look at; another file, and a picture that cannot be read, as it is. */
export async function scaleImage(file: Blob): Promise<Blob> {
  if (!scaled.test(file.type)) return file
  try {
    const bitmap = await createImageBitmap(file)
    const size = fitWithin(bitmap.width, bitmap.height, longestSide)
    // Few providers read AVIF.
    const fits = size.width === bitmap.width && size.height === bitmap.height && file.size <= longestBytes
    if (fits && file.type !== 'image/avif') return file
    return await redrawn(bitmap, size, file.type)
  } catch {
    return file
  }
}

async function redrawn(
  bitmap: ImageBitmap,
  { width, height }: { readonly width: number; readonly height: number },
  type: string,
): Promise<Blob> {
  const canvas = new OffscreenCanvas(width, height)
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, width, height)
  bitmap.close()
  // A PNG may be transparent, and a screenshot's letters suffer as JPEG.
  const png = type === 'image/png' ? await canvas.convertToBlob({ type }) : undefined
  return png && png.size <= longestBytes ? png : canvas.convertToBlob({ type: 'image/jpeg', quality: 0.9 })
}
