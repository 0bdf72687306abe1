/** Acts that have to do with each other, at the hooks where they make sense. Without themes most programs end in a refusal. */
export interface Theme {
  readonly acts: readonly string[]
  readonly hooks: readonly string[]
  /** What people do when something is asked, where that belongs to it. */
  readonly answers: readonly string[]
  /** How many of its middleware are guards. */
  readonly guards: number
}

const afterAny = ['afterDecide', 'afterDecide', 'afterStep', 'afterModel', 'afterTool', 'afterTools', 'afterAppend']
const beforeAny = [
  'beforeStep',
  'beforeModel',
  'beforeTools',
  'beforeTool',
  'beforeDecide',
  'beforeDetect',
  'beforeAppend',
]

/** With nothing for programs without a theme. */
export const themes: readonly (Theme | undefined)[] = [
  ...[undefined, undefined, undefined, undefined, undefined],
  {
    acts: [
      'append',
      'insert',
      'remove',
      'replaceMessage',
      'replaceLast',
      'removeLast',
      'reorder',
      'snapshot',
      'restore',
      'look',
    ],
    hooks: [
      'beforeStep',
      'beforeModel',
      'afterStep',
      'afterDecide',
      'beforeTurn',
      'afterTools',
      'afterInput',
      'beforeDecide',
    ],
    answers: [],
    guards: 0,
  },
  {
    acts: [
      'again',
      'again',
      'finish',
      'finish',
      'stop',
      'stopSaying',
      'gotoModel',
      'gotoDecide',
      'rewindStep',
      'interject',
      'fail',
      'look',
    ],
    hooks: afterAny,
    answers: [],
    guards: 0,
  },
  {
    acts: [
      'gotoModel',
      'gotoTools',
      'gotoDecide',
      'gotoPipeline',
      'rewindStep',
      'rewindMessage',
      'rewindHere',
      'rewindTaken',
      'snapshot',
    ],
    hooks: [...afterAny, ...beforeAny],
    answers: [],
    guards: 0,
  },
  {
    acts: ['askPermission', 'askPermission', 'askPermission', 'ask', 'askBriefly', 'askForever', 'interject', 'look'],
    hooks: ['beforeTool', 'beforeTool', 'beforeTool', 'wrapTool', 'beforeTools', 'beforeModel', 'afterDecide'],
    answers: ['answer', 'edit', 'edit', 'deny', 'answerTwice', 'answerUnknown', 'expire', 'badAnswer'],
    guards: 0.5,
  },
  {
    acts: [
      'skipText',
      'skipResult',
      'skipMessage',
      'skipCalls',
      'block',
      'changeArgs',
      'changePrompt',
      'changeMessage',
      'changeCalls',
    ],
    hooks: beforeAny,
    answers: [],
    guards: 0.2,
  },
  {
    acts: [
      'replaceText',
      'replaceResult',
      'replaceResults',
      'replaceCalls',
      'replaceMessagePart',
      'replaceOdd',
      'look',
    ],
    hooks: [...afterAny, 'afterDetect', 'afterTool', 'afterTools', 'afterInput', 'afterTurn', 'onError'],
    answers: [],
    guards: 0,
  },
  {
    acts: [
      'twice',
      'until',
      'untilSignal',
      'caught',
      'translated',
      'overlap',
      'giveText',
      'giveValue',
      'changeInput',
      'changeArgs',
      'changePrompt',
    ],
    hooks: [
      'wrapModel',
      'wrapModel',
      'wrapTool',
      'wrapTool',
      'wrapStep',
      'wrapTools',
      'wrapDetect',
      'wrapTurn',
      'wrapAppend',
      'wrapGenerate',
    ],
    answers: [],
    guards: 0.2,
  },
  {
    acts: [
      'update',
      'update',
      'share',
      'snapshot',
      'restore',
      'instruct',
      'instructParams',
      'rewindTaken',
      'forkSend',
      'look',
      'generate',
    ],
    hooks: [...afterAny, ...beforeAny],
    answers: [],
    guards: 0,
  },
  {
    acts: ['block', 'stop', 'askPermission', 'throw', 'sleep', 'fail', 'look'],
    hooks: [
      'beforeTool',
      'beforeTools',
      'beforeModel',
      'afterTool',
      'onChunk',
      'beforeAppend',
      'beforeGenerate',
      'beforeStep',
    ],
    answers: ['answer', 'edit', 'deny'],
    guards: 0.9,
  },
]
