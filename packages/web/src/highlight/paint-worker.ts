import { loadHighlight } from './highlighter.ts'
import { createPaintService } from './paint-service.ts'

/** The program of the worker that colours code, so that no grammar ever holds up the page. */
const paint = createPaintService(loadHighlight, answer => postMessage(answer))
addEventListener('message', event => void paint(event.data))
