const less = matchMedia('(prefers-reduced-motion: reduce)')

/** How long a view may take to move, in milliseconds. Whoever asks for less motion gets none. */
export const motionMs = (): number => (less.matches ? 0 : 250)
