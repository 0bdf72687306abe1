import { visibleValue } from './visible-value.ts'

/** Tabs and line ends are what a diff is made of; nothing else in it may be hidden. */
export const visibleDiff = (diff: string): string =>
  diff
    .replace(/\r\n/g, '\n')
    .split('\t')
    .map(part => visibleValue(part))
    .join('  ')
