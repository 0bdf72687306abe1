/** Who is measured. `bare` is what the others are compared with. */
export const SUBJECTS = {
  bare: './bare.mjs',
  turnbuckle: './turnbuckle.mjs',
  pi: './peers/pi.mjs',
  ai: './peers/ai.mjs',
  langchain: './peers/langchain.mjs',
  'openai-agents': './peers/openai-agents.mjs',
  strands: './peers/strands.mjs',
}

export const PEERS = ['pi', 'ai', 'langchain', 'openai-agents', 'strands']

export const loadSubject = id => import(SUBJECTS[id])
