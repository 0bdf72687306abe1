import { everyHook } from './middleware-of.ts'
import type { Program } from './program.ts'
import { toolNames } from './tools.ts'

const directiveNames = ['skip', 'block', 'replace', 'stop', 'again', 'finish', 'goto', 'rewind', 'fail']
const loops: readonly Program['loop'][] = ['plain', 'intercept', 'observe']
const stores: readonly Program['store'][] = ['none', 'memory', 'sqlite', 'later']
const crashPoints: readonly Program['crashes'][number]['at'][] = ['commit', 'time', 'tool', 'model', 'hook', 'close']
const places: readonly Program['turns'][number]['place'][] = ['head', 'fork', 'checkout', 'root']
const interruptedAt = ['turn.started', 'message.added', 'message.started', 'tool.pending', 'tool.executing']

/** Things that happen, by the line that shows them. */
const happenings: readonly (readonly [feature: string, line: RegExp])[] = [
  ['history edited', / event history\.edited /],
  ['head moved', / event head\.moved /],
  ['interrupted', / event turn\.interrupted /],
  ['interrupted by a hook', / event turn\.interrupted .*"reason":"hook"/],
  ['interrupted by a signal', / event turn\.interrupted .*"reason":"away"/],
  ['interrupted as it is resumed', / event turn\.interrupted .*"reason":"on resume"/],
  ['question asked', / event request\.opened /],
  ['question answered', / event request\.answered /],
  ['question expired', / event request\.expired /],
  ['question found by another process', / result waiting \[\{/],
  ['turn found by another process', / result unfinished /],
  ['reply found in part', / result unfinished \["[^"]*",\{/],
  ['outcome of a call asked after a crash', / event request\.opened .*"kind":"outcome"/],
  ['interjection heard', / event interjection\.applied /],
  ['sub-agent', / event agent\.started /],
  ['hook failed', / event hook\.failed /],
  ['reply discarded', / event message\.discarded /],
  ['late result of a tool', / event tool\.late /],
  ['late emit of a tool', / tool emitted late/],
  ['result that was cut', /\[cut: /],
  ['turn failed', / event turn\.failed /],
  ['span told', / hook (span|\S+\.onTrace) /],
  ['replayed', / store replayed /],
  ['exported and imported', / store imported /],
]

/** Every feature that programs are to have: one that no program had is a hole in the generator. */
export const features: readonly string[] = [
  ...everyHook.map(hook => `hook ${hook}`),
  ...directiveNames.map(name => `directive ${name}`),
  ...interruptedAt.map(event => `interrupt at ${event}`),
  ...[...new Set(toolNames)].filter(name => name !== 'missing').map(name => `tool ${name}`),
  ...loops.map(loop => `loop ${loop}`),
  ...stores.map(store => `store ${store}`),
  'store file',
  ...crashPoints.map(at => `crash at ${at}`),
  ...places.map(place => `turn at ${place}`),
  ...happenings.map(([feature]) => feature),
]

/** The features that a program has had, by its outcome. */
export function featuresOf(program: Program, lines: readonly string[]): Set<string> {
  const { loop, store, kind, turns, people, crashes } = program
  const had = new Set([`loop ${loop}`, kind === 'across' ? 'store file' : `store ${store}`])
  for (const { place } of turns) had.add(`turn at ${place}`)
  for (const { when, does } of people)
    if ('event' in when && /interrupt|breakIn/.test(does)) had.add(`interrupt at ${when.event}`)
  const died = lines.filter(line => / person died\t/.test(line)).length
  for (const { at } of crashes.slice(0, died)) had.add(`crash at ${at}`)
  for (const line of lines) addFeatures(had, line)
  return had
}

function addFeatures(had: Set<string>, line: string): void {
  const [, channel, what = ''] = line.split(' ', 3)
  if (channel === 'hook') had.add(`hook ${what.slice(what.indexOf('.') + 1)}`)
  if (channel === 'tool') had.add(`tool ${what}`)
  if (what === 'explains') for (const [, name] of line.matchAll(/"directive":"(\w+)"/g)) had.add(`directive ${name}`)
  for (const [feature, shows] of happenings) if (!had.has(feature) && shows.test(line)) had.add(feature)
}
