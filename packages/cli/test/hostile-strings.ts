import { Random } from '../../turnbuckle/test/same/random.ts'

/** Beginnings of sequences that drive a terminal, and characters that turn or hide text. */
const sequences = [
  ...[
    '\x1b[',
    '\x1b]0;',
    '\x1b]52;c;',
    '\x1b]8;;',
    '\x1bP',
    '\x1b_',
    '\x1b^',
    '\x1bX',
    '\x1bc',
    '\x1b(0',
    '\x1b#8',
    '\x1b\\',
  ],
  ...[
    '\x1b[2J',
    '\x1b[8m',
    '\x1b[31m',
    '\x1b[45m',
    '\x1b]8;;https://a.example/\x1b\\',
    '\x1b[6n',
    '\x1b[c',
    '\x1b[?1049h',
    '\x1b[?1003h',
    '\x1b[201~',
    '\x1b[5i',
    '\x1b[1;1H',
  ],
  ...['\x9b', '\x9d', '\x90', '\x9c', '\x07', '\r', '\b', '\0', '\x0e', '\x0f', '\x7f', '\x1a', '\v', '\f'],
  ...['\u202e', '\u2066', '\u2069', '\u200b', '\ufeff', '\ud800', '\udc00', '\u0301', '🏳️‍🌈', '漢', '‮'],
  ...['https://a.example/', ';', 'm', '%', '\t', '\n', '```', '|', '#', '[x](y)', '<b>', '"', "'", '\\'],
]

/** Strings of random bytes, as a decoder of UTF-8 or of Latin-1 reads them, with sequences for terminals among them. */
export function hostileStrings(seed: number, count: number): readonly string[] {
  const random = new Random(seed)
  return Array.from({ length: count }, () => hostileString(random))
}

function hostileString(random: Random): string {
  const pieces = random.list(1, 6, () => {
    if (random.chance(0.5)) return random.pick(sequences)
    const bytes = Buffer.from(random.list(1, 8, () => random.below(256)))
    return bytes.toString(random.chance(0.5) ? 'utf8' : 'latin1')
  })
  return pieces.join('')
}
