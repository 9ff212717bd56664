/** A word of a command line with its quotes taken off. `expands`: the shell may make something else of it (variable, glob, substitution, brace). */
export interface ShellWord {
  readonly text: string
  readonly expands: boolean
}

/** One simple command: its words in order, the targets of its output redirections, and the bodies of its here-documents. */
export interface SimpleCommand {
  readonly words: readonly ShellWord[]
  readonly writesTo: readonly ShellWord[]
  readonly bodies: readonly string[]
}

type Quote = 'none' | 'double'

/**
 * Cuts a bash command line into its simple commands, those in substitutions and subshells included, in one pass and without
 * recursion. It marks what looks dangerous, and so errs towards more commands than bash would see; it never decides what is safe.
 */
export function simpleCommands(line: string): readonly SimpleCommand[] {
  return new Reader(line).read()
}

class Reader {
  readonly #text: string
  #at = 0
  readonly #commands: SimpleCommand[] = []
  #words: ShellWord[] = []
  #writesTo: ShellWord[] = []
  #bodies: string[] = []
  #word: { text: string; expands: boolean } | null = null
  #redirect: 'write' | 'read' | 'here' | null = null
  #pendingBodies: { readonly end: string; readonly bodies: string[] }[] = []
  /** What encloses the present place: a quote that goes on behind the substitution in it. */
  readonly #enclosing: Quote[] = []
  #quote: Quote = 'none'

  constructor(text: string) {
    this.#text = text
  }

  read(): readonly SimpleCommand[] {
    while (this.#at < this.#text.length) this.#step()
    this.#endCommand()
    return this.#commands
  }

  #step(): void {
    const char = this.#text[this.#at] ?? ''
    const next = this.#text[this.#at + 1] ?? ''
    if (char === '\\') return this.#escape(next)
    if (char === '`') return this.#border(1)
    if (char === '$' && next === '(') return this.#open(2)
    if (this.#quote === 'double') return this.#inDouble(char)
    if (char === '"') return this.#enter('double')
    if (char === "'") return this.#single(this.#at + 1)
    if (char === '$' && next === "'") return this.#ansi()
    if ((char === '<' || char === '>') && next === '(') return this.#open(2)
    if (char === '<' || char === '>') return this.#redirection()
    if (char === '(') return this.#open(1)
    if (char === ')') return this.#close()
    if (char === '\n' || char === '\r') return this.#newline()
    if (char === '&' && next === '>') return void this.#at++
    if (char === ';' || char === '&' || char === '|') return this.#border(1)
    if (char === ' ' || char === '\t') return this.#endWord(1)
    if (char === '#' && this.#word === null) return this.#comment()
    return this.#put(char, '$*?[{'.includes(char))
  }

  #put(text: string, expands: boolean, length = 1): void {
    this.#word ??= { text: '', expands: false }
    this.#word.text += text
    this.#word.expands ||= expands
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

  #open(length: number): void {
    if (length === 2) this.#put('', true, 0)
    this.#enclosing.push(this.#quote)
    this.#quote = 'none'
    this.#border(length)
  }

  #close(): void {
    this.#border(1)
    this.#quote = this.#enclosing.pop() ?? 'none'
  }

  #border(length: number): void {
    this.#endCommand()
    this.#at += length
  }

  #comment(): void {
    const end = this.#text.indexOf('\n', this.#at)
    this.#at = end < 0 ? this.#text.length : end
  }

  #redirection(): void {
    const [operator = '<'] = /<<<|<<-|<<|<>|<&|>>|>&|>\||<|>/uy.exec(this.#text.slice(this.#at, this.#at + 3)) ?? []
    if (this.#word && /^\d+$/u.test(this.#word.text)) this.#word = null
    this.#endWord(operator.length)
    if (operator === '<<' || operator === '<<-') this.#redirect = 'here'
    else if (operator === '>&' || operator === '<&') this.#redirect = 'read'
    else this.#redirect = operator.includes('>') ? 'write' : 'read'
  }

  #endWord(length = 0): void {
    const word = this.#word
    this.#word = null
    this.#at += length
    if (!word) return
    const redirect = this.#redirect
    this.#redirect = null
    if (redirect === 'write') this.#writesTo.push(word)
    else if (redirect === 'here') this.#pendingBodies.push({ end: word.text, bodies: this.#bodies })
    else if (redirect === null) this.#words.push(word)
  }

  #endCommand(): void {
    this.#endWord()
    this.#redirect = null
    if (this.#words.length + this.#writesTo.length > 0 || this.#pendingBodies.length > 0) {
      this.#commands.push({ words: this.#words, writesTo: this.#writesTo, bodies: this.#bodies })
    }
    this.#words = []
    this.#writesTo = []
    this.#bodies = []
  }

  /** Here-documents begin behind the line that announces them. One without its end may be none: its lines are then read as commands. */
  #newline(): void {
    this.#border(1)
    const pending = this.#pendingBodies
    this.#pendingBodies = []
    for (const { end, bodies } of pending) {
      const lines = this.#text.slice(this.#at).split('\n')
      const last = lines.findIndex((line) => line.replace(/^\t+|\r$/gu, '') === end)
      if (last < 0) return
      const body = lines.slice(0, last).join('\n')
      bodies.push(body)
      this.#at += body.length + (last > 0 ? 1 : 0) + (lines[last]?.length ?? 0)
    }
  }
}
