/** How much larger letters are than in a browser's default size: on a very wide screen, or where a person has set a larger font. */
export const letterScale = (): number => Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16
