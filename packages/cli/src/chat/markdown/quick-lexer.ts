import type { Token, Tokens } from 'marked'

type Marked = Pick<typeof import('marked'), 'Lexer' | 'Tokenizer' | 'getDefaults'>

/** The first line of a block that an HTML, quote or table rule could match; more lines match these than the rules. */
const mayBe = { html: /^ {0,3}</, quote: /^ {0,3}>/, table: /^[^\n]*\n {0,3}[|:-]/ }
/** A line that begins so begins no block of its own. */
const isLetter = /[A-Za-z\u00c0-\uffff]/

/**
 * marked's lexer, with the same tokens (a test compares them). Its rules for HTML, quotes, tables and paragraphs are regular expressions that V8 takes
 * some 20 ms to compile, a tenth of what it takes to open a conversation; here they are only tried where a cheap look says that they could match.
 */
export function quickLexer({ Lexer, Tokenizer, getDefaults }: Marked): (text: string) => Token[] {
  class QuickTokenizer extends Tokenizer {
    override html(src: string): Tokens.HTML | undefined {
      return mayBe.html.test(src) ? super.html(src) : undefined
    }
    override blockquote(src: string): Tokens.Blockquote | undefined {
      return mayBe.quote.test(src) ? super.blockquote(src) : undefined
    }
    override table(src: string): Tokens.Table | undefined {
      return mayBe.table.test(src) ? super.table(src) : undefined
    }
    override paragraph(src: string): Tokens.Paragraph | undefined {
      const raw = plainParagraph(src)
      return raw ? { type: 'paragraph', raw, text: raw, tokens: this.lexer.inline(raw) } : super.paragraph(src)
    }
  }
  return text => new Lexer({ ...getDefaults(), tokenizer: new QuickTokenizer() }).lex(text)
}

/** The paragraph at the beginning, up to an empty line or the end; empty where a line of it could begin something else. */
function plainParagraph(src: string): string {
  let end = src.indexOf('\n')
  while (end >= 0 && src[end + 1] !== undefined && src[end + 1] !== '\n') {
    if (!isLetter.test(src[end + 1] ?? '')) return ''
    end = src.indexOf('\n', end + 1)
  }
  return end < 0 ? src : src.slice(0, end)
}
