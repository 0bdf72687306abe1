const less = matchMedia('(prefers-reduced-motion: reduce)')

/** Duration of a view's move in milliseconds; 0 where the system asks for reduced motion. */
export const motionMs = (): number => (less.matches ? 0 : 250)
