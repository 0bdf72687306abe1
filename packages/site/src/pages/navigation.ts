/** A group of pages, by what a reader wants. Paths are those in docs/, without `.md`; titles are the pages' own. */
export interface PageGroup {
  readonly title: string
  readonly pages: readonly string[]
  /** Closed until a reader opens it, or is on one of its pages. */
  readonly folded?: boolean
}

export const navigation: readonly PageGroup[] = [
  { title: 'Start', pages: ['start', 'tutorial', 'coming-from'] },
  { title: 'Hooks', pages: ['lifecycle', 'hooks', 'stages', 'recipes', 'testing'] },
  {
    title: 'Ready-made middleware',
    folded: true,
    pages: ['limits', 'resilience', 'people', 'safety', 'context', 'quality', 'seeing'].map(
      name => `middleware/${name}`,
    ),
  },
  { title: 'Conversations', pages: ['tree', 'durability', 'replay'] },
  { title: 'Models and tools', pages: ['models', 'tools', 'mcp', 'claude-code'] },
  { title: 'Programs', pages: ['cli', 'web', 'settings'] },
  { title: 'Server', pages: ['server', 'clients', 'people', 'server-conversations', 'cluster', 'security'] },
  { title: 'Reference', pages: ['events', 'architecture'] },
]
