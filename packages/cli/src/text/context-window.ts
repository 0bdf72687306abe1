/** Tokens that a model's prompt may have, by the beginning of its name without the provider. */
const windows: readonly (readonly [begin: RegExp, tokens: number])[] = [
  [/^claude/, 200_000],
  [/^gpt-5/, 400_000],
  [/^gpt-4\.1/, 1_047_576],
  [/^gpt-4/, 128_000],
  [/^o[1-9]/, 200_000],
  [/^gemini/, 1_048_576],
]

/** Undefined for a model that is not in the table: a guess would be worse than the number of tokens. */
export function contextWindow(model: string): number | undefined {
  const name = model.slice(model.lastIndexOf('/') + 1)
  return windows.find(([begin]) => begin.test(name))?.[1]
}
