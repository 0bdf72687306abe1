/** Ink's link to React's developer tools, which nobody has here. */
export default {}
