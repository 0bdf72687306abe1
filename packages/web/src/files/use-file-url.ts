import { useContext, useEffect, useState } from 'react'
import { FileReaderContext } from './file-reader.ts'
import { fileUrl } from './file-urls.ts'

/** The address of a file that the server keeps, once its bytes are here; `'missing'` where it cannot be read. */
export function useFileUrl(id: string): string | 'missing' | undefined {
  const read = useContext(FileReaderContext)
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    let isGone = false
    const tell = (found: string) => !isGone && setUrl(found)
    fileUrl(id, read).then(tell, () => tell('missing'))
    return () => {
      isGone = true
    }
  }, [id, read])
  return url
}
