/** A picture of a recording, and how long it stands. */
export interface Frame {
  readonly png: Buffer
  readonly ms: number
}

/** Puts pictures of one size into one animated PNG, which every browser plays, again and again. */
export function animatedPng(frames: readonly Frame[]): Buffer {
  const pictures = frames.map(({ png, ms }) => ({ chunks: chunksOf(png), ms }))
  const header = pictures[0]?.chunks.find(({ type }) => type === 'IHDR')?.data ?? Buffer.alloc(0)
  const out = [signature, chunk('IHDR', header), chunk('acTL', numbers(frames.length, 0))]
  let order = 0
  for (const [i, { chunks, ms }] of pictures.entries()) {
    // Size as in the header, from the corner; milliseconds; drawn over the picture before.
    const place = [header.subarray(0, 8), numbers(0, 0), Buffer.from([ms >> 8, ms & 255, 1000 >> 8, 1000 & 255, 0, 0])]
    out.push(chunk('fcTL', Buffer.concat([numbers(order++), ...place])))
    const data = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(one => one.data))
    out.push(i ? chunk('fdAT', Buffer.concat([numbers(order++), data])) : chunk('IDAT', data))
  }
  return Buffer.concat([...out, chunk('IEND', Buffer.alloc(0))])
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

function chunksOf(png: Buffer): { readonly type: string; readonly data: Buffer }[] {
  const chunks: { type: string; data: Buffer }[] = []
  for (let at = signature.length; at < png.length; ) {
    const length = png.readUInt32BE(at)
    chunks.push({ type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) })
    at += length + 12
  }
  return chunks
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  return Buffer.concat([numbers(data.length), body, numbers(checksum(body))])
}

function numbers(...values: readonly number[]): Buffer {
  const buffer = Buffer.alloc(values.length * 4)
  for (const [i, value] of values.entries()) buffer.writeUInt32BE(value, i * 4)
  return buffer
}

/** The CRC-32 that PNG has behind each chunk. */
function checksum(bytes: Buffer): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return ~crc >>> 0
}
