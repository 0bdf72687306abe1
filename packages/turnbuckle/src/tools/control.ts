// biome-ignore-all lint/suspicious/noControlCharactersInRegex: control characters are what this is about

/**
 * Sequences with a body first, so that the body goes too: OSC, DCS, SOS, PM, APC up to their end, to the next sequence or to the end of the
 * line: one that is never ended must not hide the rest of a text; then CSI; then short ones. Contract: whatever begins one is matched, so
 * that a text of many beginnings is gone through once.
 */
const sequences =
  /(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c|(?=[\n\x1b])|$)|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?|\x1b[ -/]*[0-~]?/g
const controls = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g

/** Text without terminal sequences and control characters, but for tabs and line ends: foreign text cannot drive a terminal. */
export const stripControls = (text: string): string =>
  text.replace(/\r\n/g, '\n').replace(sequences, '').replace(controls, '')

/** A name in a message. */
export const quoted = (name: string): string => `"${stripControls(name)}"`
