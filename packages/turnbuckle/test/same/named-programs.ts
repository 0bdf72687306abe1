import type { CallPlan, HookPlan, OwnerPlan, Program, ReplyPlan, TurnPlan } from './program.ts'

const hook = (at: string, act: string, rest: Partial<HookPlan> = {}): HookPlan => ({
  hook: at,
  act,
  at: 0,
  wait: 'none',
  pick: 0,
  ...rest,
})
const owner = (hooks: readonly HookPlan[], rest: Partial<OwnerPlan> = {}): OwnerPlan => ({
  guard: false,
  priority: 100,
  watches: false,
  hooks,
  ...rest,
})
const call = (name: string, rest: Partial<CallPlan> = {}): CallPlan => ({ name, args: {}, calling: false, ...rest })
const reply = (calls: readonly CallPlan[], rest: Partial<ReplyPlan> = {}): ReplyPlan => ({
  texts: [],
  calls,
  delay: 0,
  gap: 0,
  usage: 'none',
  finish: 'stop',
  inArrays: false,
  hangs: false,
  ...rest,
})
const turn = (rest: Partial<TurnPlan> = {}): TurnPlan => ({ place: 'head', pick: 0, text: 'Go.', tag: false, ...rest })
const program = (given: Partial<Program> & Pick<Program, 'seed' | 'kind'>): Program => ({
  owners: [],
  ready: [],
  script: [],
  replies: 'path',
  loop: 'plain',
  pipeline: [],
  errors: [],
  batches: 'serial',
  parallel: 1,
  settings: { maxSteps: 12, breaker: false, instructions: '', cleanupMs: 5000, maxDepth: 8 },
  history: [],
  turns: [turn()],
  people: [],
  store: 'none',
  crashes: [],
  ...given,
})

/** Small programs that show the named differences, and how the line begins that this version has where the other one parts. */
export const namedPrograms: Readonly<Record<string, { readonly program: Program; readonly now: string }>> = {
  'a before hook that an interrupt cut off had no end: its span stayed open, its failure was told later': {
    program: program({
      seed: 10032,
      kind: 'core',
      owners: [
        owner([hook('beforeModel', 'askForever', { at: 2, wait: 376, pick: 92 })]),
        owner([], { watches: 'all' }),
      ],
      script: [reply([call('late')]), reply([call('interjects')])],
      replies: 'count',
      turns: [turn({ pick: 27, text: 'And now?' })],
      people: [{ when: { event: 'request.opened', nth: 1 }, does: 'breakIn', pick: 2 }],
    }),
    now: '90684 hook m1.onTrace {"id":91,"parentId":90,"kind":"hook","at":"beforeModel","by":"m0","stage":"model","turnI',
  },
  'an interrupt that came while tool.executing was told still started the tool': {
    program: program({
      seed: 10133,
      kind: 'core',
      script: [reply([call('throwsLater'), call('file')])],
      replies: 'count',
      errors: [['validation', 'stop']],
      turns: [turn({ pick: 15 })],
      people: [{ when: { event: 'tool.executing', nth: 2 }, does: 'interrupt', pick: 13 }],
    }),
    now: '300 result turn turn_1_0 {"result":{"status":"interrupted","text":"","reason":"by a person","by":"person","ste',
  },
  'a built-in stage replaced under its own name was left out, or saw the context of its parent, when it had no hooks': {
    program: program({
      seed: 10235,
      kind: 'core',
      replies: 'count',
      pipeline: [{ op: 'replace', stage: 'step', does: 'emit' }],
      errors: [['rateLimit', 'stop']],
      batches: 'paced',
      parallel: 3,
      turns: [turn({ pick: 4 })],
    }),
    now: '0 hook stage step {"step":0,"resumed":false}',
  },
  'the order in which wraps and the hooks behind them unwind at the moment a limit ends them was never promised': {
    program: program({
      seed: 10326,
      kind: 'core',
      owners: [owner([], { guard: true, watches: 'all' })],
      ready: ['timeout'],
      script: [reply([call('slow')])],
      turns: [turn({ pick: 25 })],
    }),
    now: '900 hook m0.onOpen {"id":37,"parentId":33,"kind":"hook","at":"afterTool","by":"m0","stage":"tool","turnId":"tu',
  },
  'an interrupt while the failure of a before hook was told did not count where the hook had not waited': {
    program: program({
      seed: 10874,
      kind: 'core',
      script: [reply([call('slow')])],
      turns: [turn({ pick: 24, text: 'Once more.', use: owner([hook('beforeTools', 'nonsense', { pick: 5847 })]) })],
      people: [{ when: { event: 'hook.failed', nth: 1 }, does: 'breakIn', pick: 7 }],
    }),
    now: '0 result explains []',
  },
  'what hooks are called with, and which, was another in the moment an interrupt came as the failure of a hook was told':
    {
      program: program({
        seed: 4081441,
        kind: 'core',
        owners: [
          owner(
            [
              hook('beforeTool', 'askPermission', { at: 1, pick: 75 }),
              hook('afterTool', 'changeInput', { at: -1, pick: 3992 }),
            ],
            { guard: true },
          ),
        ],
        script: [reply([call('ok'), call('throws')])],
        turns: [turn({ pick: 6, text: 'Once more.' })],
        people: [{ when: { event: 'hook.failed', nth: 1 }, does: 'breakIn', pick: 6 }],
      }),
      now: '300000 hook m0.afterTool {"stage":"tool","step":0,"resumed":false,"call":{"type":"call","id":"call_1_1","name":"t',
    },
  'the failure of an after hook whose model call was left out was told after an interrupt had ended its turn': {
    program: program({
      seed: 5007834,
      kind: 'core',
      owners: [
        owner([hook('afterGenerate', 'interrupt', { at: -1, pick: 3794 })]),
        owner([hook('beforeGenerate', 'gotoOwn', { pick: 1676 })]),
      ],
      ready: ['critic'],
      replies: 'count',
      batches: 'paced',
      parallel: 3,
      turns: [turn({ pick: 18, text: 'Once more.' })],
    }),
    now: '0 result turn turn_1_0 {"result":{"status":"interrupted","text":"The end.","reason":"hook","by":"person"',
  },
  'a call was still looked at when an interrupt that came with the usage of its reply had ended the turn': {
    program: program({
      seed: 5033321,
      kind: 'stored',
      owners: [owner([hook('onEvent', 'disable', { at: 3, pick: 3040 })])],
      script: [reply([call('late')], { usage: 'tokens' })],
      turns: [turn({ pick: 23 })],
      people: [{ when: { event: 'usage', nth: 1 }, does: 'interrupt', pick: 27 }],
      store: 'sqlite',
    }),
    now: '0 event tool.failed {"type":"tool.failed","callId":"call_1_0","name":"late","status":"interrupted","result":"Inter',
  },
  'the order between the hooks of one call of a batch and the events of another in the same moment was never promised':
    {
      program: program({
        seed: 5087926,
        kind: 'managed',
        script: [reply([call('returnsError'), call('slow')])],
        replies: 'count',
        loop: 'observe',
        batches: 'paced',
        parallel: 9,
        turns: [
          turn({
            pick: 17,
            text: 'Once more.',
            use: owner(
              [
                hook('afterTool', 'emit', { wait: 'micro', pick: 4161 }),
                hook('onOpen', 'replaceMessage', { at: 1, pick: 4085 }),
              ],
              { guard: true },
            ),
          }),
        ],
      }),
      now: '0 event custom.news {"type":"custom.news","pick":4161,"conversationId":"c","seq":7,"at":0,"turnId":"turn_1_0"}',
    },
  'a step or turn that a wrap ran twice recorded messages between a call and its result': {
    program: program({
      seed: 11453,
      kind: 'core',
      owners: [owner([hook('wrapStep', 'overlap', { at: 1, pick: 3166 })])],
      script: [reply([call('looks')]), reply([call('ok')], { delay: 2613 })],
      batches: 'paced',
      parallel: 3,
      turns: [turn({ pick: 15 })],
    }),
    now: '5324 event tool.completed {"type":"tool.completed","callId":"call_1_1","name":"ok","status":"ok","result":{},"',
  },
  'a limit around a step or a turn did not end the model call inside where a stage between them had hooks': {
    program: program({
      seed: 12574,
      kind: 'core',
      owners: [owner([hook('wrapTurn', 'untilSignal', { pick: 642 })])],
      ready: ['secrets'],
      script: [reply([call('huge')])],
      batches: 'paced',
      parallel: 2,
      turns: [turn({ pick: 6, text: 'Once more.' })],
    }),
    now: '1354 event turn.failed {"type":"turn.failed","outcome":"failed","reason":"signalled","by":"model","text":"","u',
  },
  'hooks that had finished ran again after a crash when the next process had hooks at other stages': {
    program: program({
      seed: 10718,
      kind: 'crashed',
      errors: [['tool', 'ignore']],
      turns: [
        turn({
          pick: 7,
          text: 'And now?',
          use: owner([
            hook('onOpen', 'interrupt', { at: 3, pick: 2516 }),
            hook('onTrace', 'removeLast', { pick: 602 }),
            hook('afterAppend', 'removeLast', { at: 3, pick: 2882 }),
          ]),
        }),
      ],
      store: 'sqlite',
      crashes: [{ at: 'hook', n: 8, done: true }],
    }),
    now: '0 event turn.started {"type":"turn.started","conversationId":"c","seq":1,"at":0,"turnId":"turn_1_0"}',
  },
  'the events that one commit takes together were never promised: a process that dies at a commit leaves more, or fewer':
    {
      program: program({
        seed: 101005,
        kind: 'crashed',
        script: [reply([call('delegates')]), reply([call('emitsLate')])],
        turns: [turn({ pick: 26, text: 'Once more.' })],
        store: 'later',
        crashes: [{ at: 'commit', n: 13, done: true }],
      }),
      now: '2013 delta delta {"turnId":"turn_1_0","messageId":"turn_1_0.s2a0","text":"The end.","offset":0,"reasoning":fal',
    },
  'text of a growing reply was not kept for a crash when a message of a turn beside it was recorded meanwhile': {
    program: program({
      seed: 4001870,
      kind: 'crashed',
      script: [
        reply([call('delegates'), call('throwsOdd', { calling: true })], {
          texts: ['Let me see.', 'Well'],
          gap: 635,
          usage: 'tokens',
        }),
      ],
      errors: [
        ['hook', 'stop'],
        ['unknown', 'stop'],
        ['tool', 'ignore'],
      ],
      turns: [turn({ pick: 10, text: 'Once more.' })],
      people: [{ when: { ms: 3776 }, does: 'beside', pick: 23 }],
      store: 'sqlite',
      crashes: [{ at: 'time', n: 8012, done: false }],
    }),
    now: '8012 event message.discarded {"type":"message.discarded","messageId":"turn_1_1.s0a0","reason":"the process ende',
  },
  'the order in which model calls of hooks unwind that the end of their turn cuts off was never promised': {
    program: program({
      seed: 101044,
      kind: 'core',
      owners: [
        owner([hook('afterModel', 'generate', { at: 2, pick: 5643 }), hook('afterTools', 'generate', { pick: 5989 })], {
          timeout: 1986,
        }),
        owner([], { watches: 'all' }),
      ],
      script: [reply([]), reply([call('returnsError')])],
      replies: 'count',
      turns: [turn({ text: 'And now?' }), turn({ pick: 29 })],
    }),
    now: '3972 hook m1.onOpen {"id":82,"parentId":64,"kind":"hook","at":"afterGenerate","by":"m1","stage":"generate","tu',
  },
  'a call that was refused before a crash ran after it, and no guard was asked': {
    program: program({
      seed: 101889,
      kind: 'crashed',
      script: [reply([call('delegates')])],
      batches: 'paced',
      parallel: 2,
      turns: [turn({ pick: 22, text: 'And now?' })],
      store: 'sqlite',
      crashes: [{ at: 'commit', n: 8, done: false }],
    }),
    now: '636 hook below.wrapTool throws tool.unknown: There is no tool "throws". Tools here: slow.',
  },
  'the order of the hooks of two turns in the moment one of them is interrupted was never promised': {
    program: program({
      seed: 10397,
      kind: 'across',
      owners: [owner([], { watches: 'stages' })],
      script: [reply([], { delay: 1923 })],
      batches: 'paced',
      parallel: 3,
      turns: [turn({ text: 'And now?' })],
      people: [
        { when: { event: 'turn.started', nth: 1 }, does: 'breakIn', pick: 9 },
        { when: { ms: 16 }, does: 'send', pick: 9 },
      ],
      store: 'sqlite',
      crashes: [{ at: 'hook', n: 1, done: true }],
    }),
    now: '32 hook m0.wrapModel throws turn.interrupted: The turn was interrupted.',
  },
  'a checkpoint had the instructions that hooks gave after it, until the log was written': {
    program: program({
      seed: 1001770,
      kind: 'crashed',
      owners: [
        owner([
          hook('afterTool', 'replaceCalls', { pick: 2561 }),
          hook('afterAppend', 'replaceText', { at: -1, pick: 1139 }),
          hook('beforeTools', 'instruct', { at: 1, pick: 5558 }),
        ]),
      ],
      script: [reply([call('throwsOdd'), call('missing')])],
      batches: 'paced',
      parallel: 3,
      turns: [turn({ pick: 17 }), turn({ pick: 14 })],
      store: 'later',
      crashes: [{ at: 'commit', n: 13, done: true }],
    }),
    now: '2764 prompt prompt {"messages":[{"id":"turn_1_0.u"',
  },
  'calls that a hook replaced by something that is no list failed the batch with an error of its own code': {
    program: program({
      seed: 1004459,
      kind: 'core',
      owners: [owner([hook('beforeTools', 'rename', { wait: 'micro', pick: 1796 })])],
      script: [reply([call('ok')])],
      turns: [turn({ pick: 29, text: 'Once more.' })],
    }),
    now: '0 event turn.failed {"type":"turn.failed","outcome":"failed","reason":"The calls of a batch are a list.',
  },
  'the order in which calls of one batch add their errors to the draft in the same moment was never promised': {
    program: program({
      seed: 1037943,
      kind: 'crashed',
      owners: [owner([hook('wrapTool', 'changeInput', { at: 1, pick: 2804 })], { guard: true })],
      script: [reply([call('delegates')])],
      turns: [turn({ pick: 17, text: 'And now?' })],
      store: 'memory',
    }),
    now: '318 hook below.afterTool {"stage":"tool","step":0,"resumed":false,"call":{"type":"call","id":"below_throws"',
  },
  'a goto to a stage that there is not failed every later step of the turn too': {
    program: program({
      seed: 1022268,
      kind: 'core',
      replies: 'count',
      turns: [
        turn({
          pick: 11,
          use: owner([hook('beforeStep', 'gotoOwn', { pick: 267 }), hook('onError', 'rewindMessage', { pick: 3840 })]),
        }),
      ],
    }),
    now: '0 prompt prompt {"messages":[{"id":"turn_1_0.u"',
  },
  'the before hooks behind one that waited were still called when their turn had been parked': {
    program: program({
      seed: 1024129,
      kind: 'stored',
      owners: [
        owner([hook('beforeModel', 'share', { wait: 1000 })]),
        owner([hook('beforeModel', 'share', { at: 5 })], { priority: 150 }),
      ],
      turns: [turn({ pick: 25 })],
      people: [{ when: { ms: 500 }, does: 'close', pick: 21 }],
      store: 'memory',
    }),
    now: '500 person close',
  },
  'a model was asked for one more chunk after an interrupt that came while its text was told': {
    program: program({
      seed: 1031633,
      kind: 'core',
      script: [reply([], { texts: ['Well'], gap: 624 })],
      replies: 'count',
      turns: [turn({ pick: 19 })],
      people: [{ when: { event: 'message.started', nth: 1 }, does: 'interrupt', pick: 2 }],
    }),
    now: '0 result turn turn_1_0 {"result":{"status":"interrupted","text":"Well"',
  },
  'the order of two turns that people let go on in the same moment was never promised': {
    program: program({
      seed: 1049783,
      kind: 'managed',
      owners: [
        owner([hook('beforeTool', 'askPermission', { at: 1, pick: 2288 })]),
        owner([hook('beforeTool', 'askForever', { pick: 1949 })]),
      ],
      script: [reply([call('asResult')])],
      loop: 'intercept',
      errors: [
        ['tool', 'stop'],
        ['unknown', 'ignore'],
      ],
      turns: [turn({ pick: 18, text: 'And now?' })],
      people: [
        { when: { ms: 3031 }, does: 'beside', pick: 6 },
        { when: { event: 'request.opened', nth: 2 }, does: 'expire', pick: 28 },
        { when: { event: 'request.opened', nth: 2 }, does: 'edit', pick: 4 },
      ],
    }),
    now: '3031 event message.added {"type":"message.added","messageId":"turn_1_0.s0.call_0"',
  },
  'a reply that a goto of onChunk has left behind is taken up after a crash: the turn ended there, now it fails': {
    program: program({
      seed: 1049432,
      kind: 'crashed',
      owners: [
        owner([hook('onChunk', 'gotoModel', { at: 1, pick: 4022 })]),
        owner([hook('beforeAppend', 'snapshot', { pick: 5270 })]),
      ],
      script: [reply([call('ok')], { reasoning: 'I think.' })],
      turns: [turn({ pick: 24, text: 'Once more.' })],
      store: 'memory',
      crashes: [{ at: 'model', n: 3, done: false }],
    }),
    now: '0 event tool.failed {"type":"tool.failed","callId":"call_1_1","name":"ok","status":"blocked"',
  },
  'the decisions on a turn that come after its interrupt, in the same moment, were never promised to be in the log': {
    program: program({
      seed: 1079708,
      kind: 'crashed',
      owners: [owner([hook('onError', 'interrupt', { pick: 3175 })])],
      script: [reply([call('limited')])],
      errors: [
        ['rateLimit', 'stop'],
        ['timeout', 'stop'],
      ],
      batches: 'paced',
      parallel: 3,
      turns: [turn({ pick: 11 })],
      store: 'memory',
    }),
    now: '1436 store decisions turn_1_0 []',
  },
  'the order in which onChunk hooks and the stages around them unwind at an interrupt was never promised': {
    program: program({
      seed: 1080755,
      kind: 'core',
      owners: [
        owner([
          hook('onChunk', 'assignForeign', { at: 1, pick: 1024 }),
          hook('onTrace', 'interrupt', { at: 2, pick: 1183 }),
        ]),
        owner([hook('onChunk', 'skipResult', { at: 3, pick: 1626 })]),
      ],
      replies: 'count',
      batches: 'paced',
      parallel: 2,
      turns: [turn({ pick: 4 })],
    }),
    now: '0 hook m0.onTrace {"id":4,"parentId":3,"kind":"stage","stage":"model","turnId":"turn_1_0"',
  },
  'a rewind to before the first message, read from the log after a crash, fails: the error spoke of a damaged store': {
    program: program({
      seed: 1049432,
      kind: 'crashed',
      owners: [owner([hook('beforeInput', 'snapshot'), hook('beforeDetect', 'rewindTaken')])],
      store: 'memory',
      crashes: [{ at: 'commit', n: 3, done: true }],
    }),
    now: '0 event turn.failed {"type":"turn.failed","outcome":"failed","reason":"No message \\"undefined\\" on this path',
  },
  'the place of spans in a turn that is traced only from its middle on was never promised': {
    program: program({
      seed: 2034091,
      kind: 'managed',
      owners: [owner([], { watches: 'all' })],
      script: [reply([call('missing')])],
      replies: 'count',
      loop: 'intercept',
      turns: [turn({ pick: 2, use: owner([hook('beforeInput', 'disable', { pick: 3195 })]) })],
      people: [{ when: { event: 'tool.pending', nth: 1 }, does: 'enable', pick: 2 }],
    }),
    now: '0 hook m0.onOpen {"id":6,"kind":"stage","stage":"tools"',
  },
  'whether an interrupt that is made as a message is told comes before what ends in the same moment was never promised':
    {
      program: program({
        seed: 6019429,
        kind: 'stored',
        owners: [owner([hook('beforeDetect', 'disable', { pick: 778 })])],
        replies: 'count',
        batches: 'paced',
        parallel: 2,
        turns: [turn({ pick: 26 })],
        people: [{ when: { event: 'message.added', nth: 2 }, does: 'interrupt', pick: 21 }],
        store: 'sqlite',
      }),
      now: '0 event turn.completed {"type":"turn.completed"',
    },
  'the order among the turns, calls and attempts that one interrupt, deletion or limit ends was never promised': {
    program: program({
      seed: 7019418,
      kind: 'managed',
      ready: ['timeout'],
      script: [reply([call('delegates', { id: 'call_1_1' }), call('huge'), call('again')])],
      replies: 'count',
      loop: 'intercept',
      turns: [turn({ pick: 8, text: 'Once more.' })],
    }),
    now: '900 event tool.executing {"type":"tool.executing","callId":"call_1"',
  },
  'a turn that the deletion of its conversation had ended was then said to have failed in the store': {
    program: program({
      seed: 7077097,
      kind: 'crashed',
      script: [reply([call('limitedOk')])],
      batches: 'paced',
      parallel: 3,
      turns: [turn({ pick: 5, text: 'And now?' })],
      people: [
        { when: { ms: 261 }, does: 'delete', pick: 16 },
        { when: { event: 'tool.failed', nth: 1 }, does: 'emit', pick: 5 },
      ],
      store: 'later',
    }),
    now: '261 event log.refused {"type":"log.refused","event":"person.waved"',
  },
  'chunks that came in one list were still shown when a model call of their hook had failed the turn': {
    program: program({
      seed: 7084138,
      kind: 'core',
      owners: [
        owner([hook('beforeGenerate', 'failOdd', { at: -1, pick: 1669 })]),
        owner([hook('onChunk', 'splitChunk', { pick: 2304 })]),
      ],
      batches: 'paced',
      parallel: 3,
      turns: [turn({ pick: 29, use: owner([hook('onChunk', 'generate', { at: 2, pick: 192 })]) })],
    }),
    now: '0 event message.started {"type":"message.started","messageId":"turn_1_0.s0a0"',
  },
  'a message that a rewind takes along was offered to the append hooks when its turn had been interrupted': {
    program: program({
      seed: 3017304,
      kind: 'core',
      owners: [owner([hook('afterTool', 'rewindHere', { at: -1, pick: 813 })]), owner([], { watches: 'stages' })],
      script: [reply([call('late')])],
      turns: [turn({ pick: 24, text: 'Once more.' })],
      people: [{ when: { event: 'head.moved', nth: 1 }, does: 'breakIn', pick: 22 }],
    }),
    now: '90308 hook m1.beforeAppend {"stage":"append","step":0,"resumed":false,"message":{"id":"turn_1_0.s0rewind"',
  },
  'a directive for a model call of a hook was listed as one that lost, when the turn had failed before it was given': {
    program: program({
      seed: 3035529,
      kind: 'stored',
      owners: [
        owner([hook('beforeModel', 'generateBroken', { at: 1, pick: 3214 })], { timeout: 136 }),
        owner([hook('beforeGenerate', 'again', { wait: 333, pick: 4811 })]),
      ],
      replies: 'count',
      batches: 'paced',
      parallel: 3,
      turns: [turn({ pick: 10, text: 'Once more.' }), turn({ pick: 16, text: 'And now?' })],
      store: 'memory',
    }),
    now: '383 result explains [{"directive":"fail","by":"m0","at":"beforeModel"',
  },
  'the draft of a step that was interrupted on resume did not count the results that were recorded for it': {
    program: program({
      seed: 3049035,
      kind: 'crashed',
      owners: [owner([hook('afterStep', 'finish', { at: 1, pick: 4458 })])],
      script: [reply([call('limitedOk'), call('throwsOdd')])],
      pipeline: [{ op: 'before', stage: 'tools', does: 'sleep' }],
      batches: 'paced',
      parallel: 9,
      settings: { maxSteps: 12, breaker: true, instructions: '', cleanupMs: 5000, maxDepth: 8 },
      turns: [turn({ pick: 25, text: 'Once more.' })],
      store: 'sqlite',
      crashes: [{ at: 'tool', n: 2, done: true }],
    }),
    now: '2303 hook m0.afterStep {"stage":"step","step":0,"resumed":true',
  },
  'whether a turn has a cost that a hook sees in the moment of its interrupt was never promised': {
    program: program({
      seed: 3065619,
      kind: 'core',
      owners: [
        owner([hook('afterModel', 'look', { at: -1, pick: 1715 }), hook('onChunk', 'interrupt', { pick: 4509 })]),
      ],
      batches: 'paced',
      parallel: 2,
      turns: [turn({ pick: 20 })],
    }),
    now: '0 hook looks [3,3,0,{"inputTokens":0,"outputTokens":0,"cost":0}',
  },
  'the order of two failures of one moment, of a limit and of a hook behind it, was never promised: either ends the turn':
    {
      program: program({
        seed: 3069986,
        kind: 'stored',
        owners: [
          owner([hook('wrapModel', 'until', { at: -1, pick: 1374 })]),
          owner([hook('wrapModel', 'translated', { pick: 5721 })], { guard: true }),
        ],
        script: [reply([], { delay: 2812 })],
        replies: 'count',
        errors: [
          ['rateLimit', 'ignore'],
          ['hook', 'stop'],
          ['unknown', 'stop'],
        ],
        batches: 'paced',
        parallel: 3,
        turns: [turn({ pick: 22, text: 'Once more.', use: owner([], { watches: 'all' }) })],
        store: 'memory',
      }),
      now: '1374 event turn.failed {"type":"turn.failed","outcome":"failed","reason":"\\"m1\\" failed in wrapModel',
    },
}
