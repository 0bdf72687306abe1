import { type DiagramAnswer, type DiagramOrder, diagramColours } from './diagram-messages.ts'

let frame: Promise<Window> | undefined
let last = 0
const waiting = new Map<number, (answer: DiagramAnswer) => void>()

/** Draws Mermaid's text in the colours of the page. Rejects with Mermaid's words where the text has a mistake. */
export async function drawDiagram(source: string, dark: boolean): Promise<string> {
  frame ??= openFrame()
  const target = await frame
  const id = ++last
  const answer = await new Promise<DiagramAnswer>(resolve => {
    waiting.set(id, resolve)
    target.postMessage({ id, source, dark, colours: coloursOfPage() } satisfies DiagramOrder, location.origin)
  })
  if ('svg' in answer) return answer.svg
  throw new Error('problem' in answer ? answer.problem : 'The diagram was not drawn.')
}

/** Loads the frame with Mermaid, out of sight. It keeps its size, since Mermaid measures its words. */
function openFrame(): Promise<Window> {
  const element = document.createElement('iframe')
  element.src = '/diagram.html'
  element.title = 'Draws diagrams'
  element.className = 'diagram-frame'
  element.tabIndex = -1
  element.ariaHidden = 'true'
  return new Promise(resolve => {
    addEventListener('message', ({ data, origin, source }: MessageEvent<DiagramAnswer>) => {
      if (origin !== location.origin || !source || source !== element.contentWindow) return
      if (data.id === undefined) return resolve(element.contentWindow)
      waiting.get(data.id)?.(data)
      waiting.delete(data.id)
    })
    document.body.append(element)
  })
}

function coloursOfPage(): DiagramOrder['colours'] {
  const style = getComputedStyle(document.documentElement)
  const pairs = diagramColours.map(name => [name, style.getPropertyValue(`--${name}`).trim()])
  return Object.fromEntries(pairs) as DiagramOrder['colours']
}
