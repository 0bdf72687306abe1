export function sourceAliases(root: string): Record<string, string>
