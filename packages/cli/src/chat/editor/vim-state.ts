/** The state of vim keys. `waits` has the keys of a command that has begun: `d`, `f`, `g`. */
export type VimState = { readonly mode: 'insert' } | { readonly mode: 'normal'; readonly waits: string }
