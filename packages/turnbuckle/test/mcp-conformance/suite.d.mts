export interface Suite {
  list(): Promise<
    readonly { readonly side: 'server' | 'client'; readonly scenario: string; readonly revision: string }[]
  >
  run(
    side: 'server' | 'client',
    scenario: string,
    revision: string,
  ): Promise<{ readonly passed: boolean; readonly said: string }>
  /** Files that the suite has made: to be removed at the end. */
  readonly files: readonly string[]
  close(): Promise<void>
}
export function openSuite(): Promise<Suite>
