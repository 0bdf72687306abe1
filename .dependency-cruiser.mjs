const library = '^packages/turnbuckle/src'
const server = '^packages/server/src'
/** The folders of packages/server from the bottom up: each imports only those before it. */
const serverRooms = [
  'base',
  'access',
  'settings',
  'inspector',
  'feeds',
  'conversations/stored',
  'conversations/turns',
  'conversations/elsewhere',
  'conversations/open',
  'conversations',
  'work',
  'http',
  'clients',
  'streams',
  'ag-ui',
  'ai-sdk',
  'openai',
]
/**
 * The rooms of the core from the bottom up: each imports only those before it, types included. `types` is the room of the
 * interfaces that refer to each other by nature: any room imports it, and it imports types of any.
 */
const coreRooms = [
  'types',
  'base',
  'async',
  'history',
  'events',
  'directives',
  'hooks',
  'state',
  'durable',
  'model',
  'tools',
  'turn',
  'stages',
  'context',
  'agent',
]
const test = '[.]test(-d)?[.]ts$|^packages/[^/]+/test/'

/** Who may import whom: "The house" in docs/architecture.md. Imports of types count; tests may import anything. */
export default {
  forbidden: [
    {
      name: 'core-stands-alone',
      comment: 'core imports only itself: no package, no node: built-in, no other folder.',
      severity: 'error',
      from: { path: `${library}/core/`, pathNot: test },
      to: { pathNot: `${library}/core/` },
    },
    {
      name: 'folders-only-see-core',
      comment: 'middleware, conversation, tools, models and ui-messages import core and not each other.',
      severity: 'error',
      from: { path: `${library}/(middleware|conversation|tools|models|ui-messages)/`, pathNot: test },
      to: { path: library, pathNot: `${library}/(core|$1)/` },
    },
    ...Object.entries({ client: ['conversation'], mcp: ['models', 'tools'], claude: ['middleware', 'tools'] }).map(
      ([room, below]) => ({
        name: `${room}-imports-only-rooms-below`,
        comment: `${room} imports core, ${below.join(', ')}.`,
        severity: 'error',
        from: { path: `${library}/${room}/`, pathNot: test },
        to: { path: library, pathNot: `${library}/((core|${[room, ...below].join('|')})/|create-agent[.]ts$)` },
      }),
    ),
    {
      name: 'the-log-knows-no-turns',
      comment: 'A store gives a log of plain records; the core acts on them. Only a replay runs an agent.',
      severity: 'error',
      from: { path: `${library}/conversation/`, pathNot: `${test}|/conversation/replay/` },
      to: { path: `${library}/core/(turn|agent|stages|context)/|${library}/core/events/conversation-core[.]ts$` },
    },
    {
      name: 'testing-is-for-tests',
      comment: 'Only tests, examples, the playground and modules of users import turnbuckle/testing.',
      severity: 'error',
      from: {
        pathNot: `${test}|^examples/|^packages/site/|${library}/testing/|^packages/cli/src/settings/bundle-module`,
      },
      to: { path: `${library}/testing/` },
    },
    {
      name: 'library-at-the-bottom',
      comment: 'server, cli, web and site sit above the library.',
      severity: 'error',
      from: { path: library },
      to: { path: '^packages/(server|restate|cli|web|site)/' },
    },
    {
      name: 'server-below-cli-and-web',
      severity: 'error',
      from: { path: '^packages/server/' },
      to: { path: '^packages/(restate|cli|web|site)/' },
    },
    {
      name: 'programs-beside-each-other',
      comment:
        'The terminal and the cluster sit on the library and the server; the browser gets what the web app was built to.',
      severity: 'error',
      from: { path: '^packages/(cli|restate)/', pathNot: test },
      to: { path: '^packages/(cli|restate|web|site)/', pathNot: '^packages/$1/' },
    },
    ...coreRooms.slice(1).map((room, i) => ({
      name: `core-${room}-imports-only-rooms-below`,
      comment: `${room} imports itself and ${coreRooms.slice(0, i + 1).join(', ')}.`,
      severity: 'error',
      from: { path: `${library}/core/${room}/`, pathNot: test },
      to: { path: `${library}/core/`, pathNot: `${library}/core/(${coreRooms.slice(0, i + 2).join('|')})/` },
    })),
    {
      name: 'core-types-hold-only-types',
      comment: 'core/types imports types, and nothing that is loaded.',
      severity: 'error',
      from: { path: `${library}/core/types/` },
      to: { path: `${library}/core/`, dependencyTypesNot: ['type-only'] },
    },
    ...serverRooms.map((room, i) => ({
      name: `server-${room}-imports-only-rooms-below`,
      comment: `${room} imports itself and ${serverRooms.slice(0, i).join(', ') || 'no other folder of the server'}.`,
      severity: 'error',
      from: { path: `${server}/${room}/`, pathNot: test },
      to: { path: `${server}/`, pathNot: `${server}/(${serverRooms.slice(0, i + 1).join('|')})/` },
    })),
    {
      name: 'only-the-screen-knows-the-terminal',
      comment: 'frame, question, lines and markdown give lines of text; screen sends them to the terminal.',
      severity: 'error',
      from: { path: '^packages/cli/src/chat/(frame|question|lines|markdown)/', pathNot: test },
      to: { path: '^packages/cli/src/chat/(screen|session|slash)/' },
    },
    {
      name: 'web-speaks-only-the-wire',
      comment: 'web imports turnbuckle/client and nothing else of ours.',
      severity: 'error',
      from: { path: '^packages/web/', pathNot: test },
      to: { path: '^packages/', pathNot: `^packages/web/|${library}/client([.]ts|/index[.]ts)$` },
    },
    {
      name: 'site-shows-only-the-library',
      comment: 'The site imports the library by its public doors, and of web only the look.',
      severity: 'error',
      from: { path: '^packages/site/', pathNot: test },
      to: {
        path: '^packages/',
        pathNot: `^packages/site/|^packages/web/src/styles/|${library}/[a-z-]*/?index[.]ts$`,
      },
    },
    {
      name: 'no-rings',
      comment: 'Types may refer to each other; files that load each other may not.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'rings-of-types-only-in-core-types',
      comment:
        'Interfaces that are mutual by nature are in core/types; no other file of core, conversation, middleware and server is part of a ring, types included.',
      severity: 'error',
      from: {
        path: `${library}/(core|conversation|middleware)/|${server}/`,
        pathNot: `${library}/core/types/|${test}`,
      },
      to: { circular: true },
    },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true, pathNot: '^node:' } },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: {
      path: '^packages/[^/]+/dist/|^packages/turnbuckle/test/recordings/|^packages/create-turnbuckle/template/',
    },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'node', 'default'] },
  },
}
