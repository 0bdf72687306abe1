import { styled, type TextStyle } from './styled.ts'

/** Parts of a text that a theme gives a look. */
export type ThemeRole =
  | 'prompt'
  | 'busy'
  | 'user'
  | 'quiet'
  | 'strong'
  | 'good'
  | 'bad'
  | 'warn'
  | 'info'
  | 'added'
  | 'removed'
  | 'heading'
  | 'code'
  | 'link'
  | 'keyword'
  | 'string'
  | 'number'
  | 'name'
  | 'chosen'

type Theme = Readonly<Record<ThemeRole, TextStyle>>

const dark: Theme = {
  prompt: 'cyan',
  busy: 'yellow',
  user: 'bold',
  quiet: 'dim',
  strong: 'bold',
  good: 'green',
  bad: 'red',
  warn: 'yellow',
  info: 'cyan',
  added: 'green',
  removed: 'red',
  heading: ['bold', 'cyan'],
  code: 'yellow',
  link: ['underline', 'cyan'],
  keyword: 'magenta',
  string: 'green',
  number: 'yellow',
  name: 'cyan',
  chosen: 'inverse',
}

/** Yellow and cyan cannot be read on white. */
const light: Theme = {
  ...dark,
  prompt: 'blue',
  busy: 'magenta',
  warn: 'magenta',
  info: 'blue',
  heading: ['bold', 'blue'],
  code: 'magenta',
  link: ['underline', 'blue'],
  number: 'blue',
  name: 'blue',
}

export const themes = {
  dark,
  light,
  /** Blue and yellow in place of green and red. */
  'colour-blind': { ...dark, good: 'blueBright', bad: 'yellowBright', added: 'blueBright', removed: 'yellowBright' },
  /** Weight only. */
  mono: {
    ...Object.fromEntries(Object.keys(dark).map(role => [role, 'bold'])),
    quiet: 'dim',
    user: 'bold',
    info: 'dim',
    string: 'italic',
    number: 'italic',
    name: 'italic',
    removed: 'strikethrough',
    link: 'underline',
    chosen: 'inverse',
  } as Theme,
} satisfies Record<string, Theme>

export type ThemeName = keyof typeof themes
export const themeNames = Object.keys(themes) as readonly ThemeName[]
export const isThemeName = (name: string): name is ThemeName => Object.hasOwn(themes, name)

let current: ThemeName = 'dark'

export const themeInUse = (): ThemeName => current
export function setTheme(name: ThemeName): void {
  current = name
}

/** Text with the look that the theme gives a role; plain where there are no colours. */
export const paint = (role: ThemeRole, text: string): string => styled(themes[current][role], text)
