import { withoutArithmetic } from './arithmetic.ts'
import { CommandDraft, type PendingBody } from './command-draft.ts'
import type { SimpleCommand } from './simple-command.ts'

type Quote = 'none' | 'double'

/** Where a substitution stands in a word: not to be told before the shell has run. */
const SUBSTITUTED = '$()'
/** What a process substitution becomes. */
const PIPE = '/dev/fd/63'

/**
 * The ways to cut a bash command line into its simple commands, those in substitutions and subshells included, without recursion:
 * once so that a command ends where a substitution begins, and, if there is one, once so that it goes on behind it. Where quotes or
 * `case` mislead one, the other sees: together they err towards more commands than bash would see. They never decide what is safe.
 * `knowsTests`: the shell is bash, to which `>` and `&&` in `[[ … ]]` are part of the test; to others they are what they are elsewhere.
 */
export function readings(given: string, knowsTests: boolean): readonly (readonly SimpleCommand[])[] {
  const line = withoutArithmetic(given)
  const flat = new Reader(line, { goesOn: false, knowsTests }).read()
  if (!/`|[$<>]\(/u.test(line)) return [flat]
  // A name that a substitution cuts off is whole in the other reading.
  return [flat.map((command) => ({ ...command, isData: true })), new Reader(line, { goesOn: true, knowsTests }).read()]
}

/**
 * Where the commands of a plain list are joined (`;`, `&`, `|`, newline), outside of quotes and substitutions; null: the line is no plain
 * list, since it groups commands or holds a here-document.
 */
export function joints(line: string): readonly number[] | null {
  const reader = new Reader(line, { goesOn: true, knowsTests: true })
  reader.read()
  return reader.isPlainList ? reader.joints : null
}

/** What a substitution interrupts. */
interface Interrupted {
  readonly by: 'parenthesis' | 'backtick'
  readonly draft: CommandDraft
  readonly quote: Quote
}

const JOINTS: ReadonlySet<string> = new Set([';', '&', '|', '\n'])

class Reader {
  readonly #text: string
  readonly #goesOn: boolean
  readonly #knowsTests: boolean
  #at = 0
  readonly #commands: SimpleCommand[] = []
  #draft = new CommandDraft(0)
  #pendingBodies: PendingBody[] = []
  /** Ends of here-documents that no line behind the present place has. */
  readonly #unread = new Set<string>()
  /** What encloses the present place: a quote that goes on behind the substitution in it. */
  readonly #enclosing: (Quote | Interrupted)[] = []
  #quote: Quote = 'none'
  readonly joints: number[] = []
  isPlainList = true

  constructor(text: string, { goesOn, knowsTests }: { readonly goesOn: boolean; readonly knowsTests: boolean }) {
    this.#text = text
    this.#goesOn = goesOn
    this.#knowsTests = knowsTests
  }

  read(): readonly SimpleCommand[] {
    while (this.#at < this.#text.length) this.#step()
    this.#endCommand()
    for (let outer = this.#enclosing.pop(); outer !== undefined; outer = this.#enclosing.pop()) {
      if (typeof outer === 'object') this.#resume(outer)
      this.#endCommand()
    }
    return this.#commands
  }

  #step(): void {
    const char = this.#text[this.#at] ?? ''
    const next = this.#text[this.#at + 1] ?? ''
    if (char === '\\') return this.#escape(next)
    if (char === '`') return this.#backtick()
    if (char === '$' && next === '(') return this.#open(2, SUBSTITUTED)
    if (this.#quote === 'double') return this.#inDouble(char)
    if (char === '"') return this.#enter('double')
    if (char === "'") return this.#single(this.#at + 1)
    if (char === '$' && next === "'") return this.#ansi()
    if ((char === '<' || char === '>') && next === '(') return this.#open(2, PIPE)
    if ('<>&|'.includes(char) && this.#isComparing()) return this.#put(char, false)
    if (char === '<' || char === '>') return this.#redirection()
    if (char === '(') return this.#parenthesis()
    if (char === ')') return this.#close()
    if (char === '\n' || char === '\r') return this.#newline()
    if (char === '&' && next === '>') return void this.#at++
    if (char === '|') return this.#bar(next)
    if (char === ';' || char === '&') return this.#join(char, next)
    if (char === ' ' || char === '\t') return this.#endWord(1)
    if (char === '#' && this.#draft.word === null) return this.#comment()
    return this.#put(char, '$*?['.includes(char) || (char === '{' && this.#isBrace()) || (char === '~' && this.#draft.word === null))
  }

  /** `{a,b}` and `{1..3}`, not `{}` and not a group. */
  #isBrace(): boolean {
    return !/^[}\s]?$/u.test(this.#text[this.#at + 1] ?? '')
  }

  /** In `[[ … ]]`, where `<` and `>` compare and `&&` and `||` join. */
  #isComparing(): boolean {
    return this.#draft.isTest && this.#draft.word !== ']]'
  }

  /** `[[` begins a test only where a command may begin, behind the words that the grammar reserves. */
  #beginsTest(): boolean {
    if (!this.#knowsTests || this.#draft.words.length > 9) return false
    const from = this.#text.slice(this.#draft.begin, this.#at)
    return /^\s*(?:(?:if|elif|else|while|until|then|do|!|\{|time)\s+)*\[\[\s$/u.test(from)
  }

  #put(text: string, expands: boolean, length = 1): void {
    this.#draft.put(text, expands)
    this.#at += length
  }

  #escape(next: string): void {
    if (next === '\n') this.#at += 2
    else this.#put(next, false, 2)
  }

  #inDouble(char: string): void {
    if (char !== '"') return this.#put(char, char === '$')
    this.#quote = 'none'
    this.#at++
  }

  #enter(quote: Quote): void {
    this.#put('', false)
    this.#quote = quote
  }

  #single(from: number): void {
    const end = this.#text.indexOf("'", from)
    const stop = end < 0 ? this.#text.length : end
    this.#put(this.#text.slice(from, stop), false, stop + 1 - this.#at)
  }

  /** `$'r\x6d'`: the escapes that can spell a name. */
  #ansi(): void {
    const quoted = /\$'((?:[^'\\]|\\.)*)'?/suy
    quoted.lastIndex = this.#at
    const [all = '', inner = ''] = quoted.exec(this.#text) ?? []
    const cooked = inner
      .replace(/\\x([0-9a-f]{1,2})/giu, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
      .replace(/\\u([0-9a-f]{1,4})/giu, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
      .replace(/\\([0-7]{1,3})/gu, (_, octal: string) => String.fromCharCode(parseInt(octal, 8)))
      .replace(/\\(.)/gsu, '$1')
    this.#put(cooked, false, Math.max(all.length, 2))
  }

  #open(length: number, stands: string): void {
    this.#put(stands, stands === SUBSTITUTED, 0)
    if (this.#goesOn) this.#interrupt('parenthesis', length)
    else this.#enclose(length)
  }

  #parenthesis(): void {
    const isArray = this.#draft.word?.endsWith('=') === true
    this.isPlainList = false
    this.#draft.isDefinition = !isArray && /^\(\s*\)/u.test(this.#text.slice(this.#at, this.#at + 9))
    this.#enclose(1)
    this.#draft.isData = isArray
  }

  #enclose(length: number): void {
    this.#enclosing.push(this.#quote)
    this.#quote = 'none'
    this.#endCommand(length)
  }

  #backtick(): void {
    if (!this.#goesOn) return void this.#endCommand(1)
    const outer = this.#enclosing.at(-1)
    if (typeof outer !== 'object' || outer.by !== 'backtick') {
      this.#put(SUBSTITUTED, true, 0)
      return this.#interrupt('backtick', 1)
    }
    this.#enclosing.pop()
    this.#endCommand(1)
    this.#resume(outer)
  }

  #interrupt(by: Interrupted['by'], length: number): void {
    this.#enclosing.push({ by, draft: this.#draft, quote: this.#quote })
    this.#quote = 'none'
    this.#at += length
    this.#draft = new CommandDraft(this.#at)
  }

  #resume(outer: Interrupted): void {
    this.#draft = outer.draft
    // What ran in between stands before it in the list.
    this.#draft.behind = null
    this.#quote = outer.quote
  }

  #close(): void {
    const outer = this.#enclosing.at(-1)
    if (outer === undefined) {
      this.#draft.isData = true
      this.isPlainList = false
    }
    this.#endCommand(1)
    if (typeof outer === 'object' && outer.by === 'backtick') return
    this.#enclosing.pop()
    if (typeof outer === 'object') this.#resume(outer)
    else this.#quote = outer ?? 'none'
  }

  #bar(next: string): void {
    const isPipe = next !== '|' && this.#text[this.#at - 1] !== '|'
    const feeding = this.#endCommand(1)
    this.#draft = new CommandDraft(this.#at, isPipe ? feeding : null, isPipe ? null : '||')
  }

  #join(char: string, next: string): void {
    const ended = this.#endCommand(1)
    if (char === ';') this.#draft.behind = null
    else if (ended !== null && next === '&') this.#draft.behind = '&&'
  }

  #comment(): void {
    const end = this.#text.indexOf('\n', this.#at)
    this.#at = end < 0 ? this.#text.length : end
  }

  #redirection(): void {
    const [operator = '<'] = /<<<|<<-|<<|<>|<&|>>|>&|>\||<|>/uy.exec(this.#text.slice(this.#at, this.#at + 3)) ?? []
    this.#draft.dropDescriptor()
    this.#endWord(operator.length)
    this.#draft.redirect(operator)
  }

  #endWord(length = 0): void {
    this.#at += length
    const before = this.#draft.words.length
    const pending = this.#draft.endWord()
    if (pending !== null) this.#pendingBodies.push(pending)
    if (this.#draft.words.length > before) this.#mindTest(this.#draft.words.at(-1)?.text)
  }

  #mindTest(word: string | undefined): void {
    if (word === ']]') this.#draft.isTest = false
    else if (word === '[[' && this.#beginsTest()) this.#draft.isTest = true
  }

  /** The command that ended here; null: there was none. */
  #endCommand(length = 0): SimpleCommand | null {
    this.#endWord()
    const command = this.#draft.whole()
    if (command !== null) this.#commands.push(command)
    if (length > 0 && this.#enclosing.length === 0 && JOINTS.has(this.#text[this.#at] ?? '')) this.joints.push(this.#at)
    this.#at += length
    this.#draft = this.#draft.next(this.#at)
    return command
  }

  /** The next line with this text, tabs before it aside; null: there is none from here to the end, nor from any later place. */
  #lineThatReads(text: string): { readonly start: number; readonly end: number } | null {
    if (this.#unread.has(text)) return null
    for (let start = this.#at; start <= this.#text.length;) {
      const newline = this.#text.indexOf('\n', start)
      const end = newline < 0 ? this.#text.length : newline
      if (this.#text.slice(start, end).replace(/^\t+|\r$/gu, '') === text) return { start, end }
      start = end + 1
    }
    this.#unread.add(text)
    return null
  }

  /** Here-documents begin behind the line that announces them. One without its end may be none: its lines are then read as commands. */
  #newline(): void {
    this.#endCommand(1)
    const pending = this.#pendingBodies
    if (pending.length > 0) this.isPlainList = false
    this.#pendingBodies = []
    for (const { end, bodies } of pending) {
      const last = this.#lineThatReads(end)
      if (last === null) return
      bodies.push(this.#text.slice(this.#at, Math.max(this.#at, last.start - 1)))
      this.#at = last.end
    }
  }
}
