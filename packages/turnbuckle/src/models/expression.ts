import { TurnbuckleError } from '../core/base/errors.ts'

const functions: Readonly<Record<string, (value: number) => number>> = {
  sqrt: Math.sqrt,
  abs: Math.abs,
  round: Math.round,
  floor: Math.floor,
  ceil: Math.ceil,
  ln: Math.log,
  log: Math.log10,
  sin: Math.sin,
  cos: Math.cos,
  tan: Math.tan,
}
const constants: Readonly<Record<string, number>> = { pi: Math.PI, e: Math.E }
const token = /\s*(\d+(?:\.\d+)?|\.\d+|\*\*|[-+*/%^()]|[a-z]+)/gy

/** Works out arithmetic: + - * / % ^, brackets, sqrt and the like, pi and e. Nothing is evaluated as code. */
export function calculate(expression: string): number {
  if (expression.length > 500) throw malformed('it is longer than 500 characters')
  const tokens = tokenise(
    expression
      .toLowerCase()
      .replaceAll('×', '*')
      .replaceAll('÷', '/')
      .replaceAll(/\u2212/g, '-'),
  )
  const parser = new Parser(tokens)
  const value = parser.sum()
  if (parser.next !== undefined) throw malformed(`"${parser.next}" is not expected there`)
  if (!Number.isFinite(value)) throw malformed('the result is not a number')
  // 0.1 + 0.2 is 0.3 for people.
  return Number(value.toPrecision(12))
}

function tokenise(text: string): string[] {
  const tokens: string[] = []
  token.lastIndex = 0
  const end = text.trimEnd().length
  while (token.lastIndex < end) {
    const at = token.lastIndex
    const found = token.exec(text)
    if (!found?.[1]) throw malformed(`"${text.slice(at, at + 10).trim()}" cannot be read`)
    tokens.push(found[1])
  }
  if (!tokens.length) throw malformed('it is empty')
  return tokens
}

class Parser {
  readonly #tokens: readonly string[]
  #at = 0

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens
  }

  get next(): string | undefined {
    return this.#tokens[this.#at]
  }
  #take(...wanted: string[]): string | undefined {
    const { next } = this
    if (next === undefined || !wanted.includes(next)) return undefined
    this.#at++
    return next
  }

  sum(): number {
    let value = this.#product()
    for (let sign = this.#take('+', '-'); sign; sign = this.#take('+', '-')) {
      const right = this.#product()
      value = sign === '+' ? value + right : value - right
    }
    return value
  }

  #product(): number {
    let value = this.#signed()
    for (let sign = this.#take('*', '/', '%'); sign; sign = this.#take('*', '/', '%')) {
      const right = this.#signed()
      value = sign === '*' ? value * right : sign === '/' ? value / right : value % right
    }
    return value
  }

  /** -2^2 is -4, as on paper. */
  #signed(): number {
    if (this.#take('-')) return -this.#signed()
    if (this.#take('+')) return this.#signed()
    const base = this.#atom()
    return this.#take('^', '**') ? base ** this.#signed() : base
  }

  #atom(): number {
    const { next } = this
    if (next === undefined) throw malformed('something is missing at its end')
    this.#at++
    if (/^[\d.]/.test(next)) return Number(next)
    if (next === '(') return this.#closed()
    if (Object.hasOwn(constants, next)) return constants[next] as number
    if (Object.hasOwn(functions, next)) {
      if (!this.#take('(')) throw malformed(`${next} needs brackets: ${next}(2)`)
      return (functions[next] as (value: number) => number)(this.#closed())
    }
    throw malformed(`"${next}" is not expected there`)
  }

  #closed(): number {
    const value = this.sum()
    if (!this.#take(')')) throw malformed('a bracket is not closed')
    return value
  }
}

const malformed = (why: string): TurnbuckleError =>
  new TurnbuckleError('expression.invalid', `That cannot be calculated: ${why}.`, { kind: 'validation' })
