/** The code of the error that it throws; nothing when it does not. */
export function codeOf(act: () => unknown): unknown {
  try {
    act()
    return undefined
  } catch (error) {
    return (error as { code?: unknown }).code
  }
}
