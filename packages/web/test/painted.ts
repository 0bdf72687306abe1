import type { Page } from 'playwright-core'

export type Colour = readonly [red: number, green: number, blue: number]
interface Area {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** The colours of a part of the page as it is painted, row by row. */
export async function painted(page: Page, clip: Area): Promise<Colour[]> {
  const picture = await page.screenshot({ clip, animations: 'disabled', scale: 'css' })
  const bytes = await page.evaluate(async data => {
    const file = new Blob([Uint8Array.from(atob(data), letter => letter.charCodeAt(0))], { type: 'image/png' })
    const bitmap = await createImageBitmap(file)
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')
    context?.drawImage(bitmap, 0, 0)
    return [...(context?.getImageData(0, 0, bitmap.width, bitmap.height).data ?? [])]
  }, picture.toString('base64'))
  return Array.from({ length: bytes.length / 4 }, (_, i) => bytes.slice(4 * i, 4 * i + 3) as unknown as Colour)
}

/** The contrast of two colours, from 1 to 21, as WCAG defines it. */
export function contrast(a: Colour, b: Colour): number {
  const [darker = 0, lighter = 0] = [luminance(a), luminance(b)].sort((one, other) => one - other)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(colour: Colour): number {
  const [red = 0, green = 0, blue = 0] = colour.map(byte => {
    const part = byte / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
