import mermaid from 'mermaid'
import type { DiagramAnswer, DiagramOrder } from './diagram-messages.ts'

/**
 * The program of the frame that draws diagrams. Mermaid needs styles in its SVG, which the server's policy forbids the
 * page and allows this frame; the frame in turn may connect to nothing.
 */
const answer = (message: DiagramAnswer) => parent.postMessage(message, location.origin)

let order = Promise.resolve()

addEventListener('message', ({ data, origin, source }: MessageEvent<DiagramOrder>) => {
  if (origin !== location.origin || source !== parent) return
  // Mermaid draws one diagram at a time: its configuration is that of the module.
  order = order.then(() => draw(data))
})
answer({})

async function draw({ id, source, dark, colours }: DiagramOrder): Promise<void> {
  try {
    configure(dark, colours)
    const { svg } = await mermaid.render(`diagram-${id}`, source)
    answer({ id, svg: sized(svg) })
  } catch (error) {
    answer({ id, problem: error instanceof Error ? error.message : String(error) })
  } finally {
    document.body.replaceChildren()
  }
}

function configure(dark: boolean, colours: DiagramOrder['colours']): void {
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: 'strict',
    // Directives in the text of a diagram may not change these.
    secure: [
      'secure',
      'securityLevel',
      'startOnLoad',
      'maxTextSize',
      'maxEdges',
      'htmlLabels',
      'fontFamily',
      'themeCSS',
    ],
    suppressErrorRendering: true,
    htmlLabels: false,
    flowchart: { htmlLabels: false },
    // A picture knows no fonts of the page.
    fontFamily: 'system-ui, sans-serif',
    theme: 'base',
    themeVariables: {
      darkMode: dark,
      background: colours.raised,
      primaryColor: colours['brass-soft'],
      primaryBorderColor: colours['brass-fill'],
      primaryTextColor: colours.ink,
      secondaryColor: colours['sea-soft'],
      tertiaryColor: colours.paper,
      lineColor: colours['ink-soft'],
      textColor: colours.ink,
      noteBkgColor: colours['sea-soft'],
      noteTextColor: colours.ink,
      edgeLabelBackground: colours.paper,
    },
  })
}

/** The SVG as a picture has its own size: Mermaid's fills the width that it is given. */
function sized(svg: string): string {
  const root = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement
  const [, , width = '', height = ''] = (root.getAttribute('viewBox') ?? '').split(/[\s,]+/)
  if (width && height) {
    root.setAttribute('width', width)
    root.setAttribute('height', height)
    root.removeAttribute('style')
  }
  return new XMLSerializer().serializeToString(root)
}
