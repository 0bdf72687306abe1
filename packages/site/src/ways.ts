/** The ways on from the playground: page, title, and what it says. */
export const ways = [
  ['start', 'Start', 'Install it, run the first program, find your way.'],
  ['tutorial', 'A hook of your own', 'From an empty folder to a tested package, in ten minutes.'],
  ['lifecycle', 'The life of a turn', 'Every stage with its exits, and who decides.'],
  ['recipes', 'Recipes', 'Forty programs of a dozen lines, all of them tested.'],
  ['durability', 'Stores', 'Conversations that survive a crash, on SQLite or PostgreSQL.'],
  ['coming-from', 'Coming from …', 'LangChain, the AI SDK, Claude hooks: your words, and ours.'],
] as const
