export function deadAnchors(folder: string, base?: string): string[]
