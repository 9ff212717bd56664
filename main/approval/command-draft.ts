import type { ShellWord, SimpleCommand } from './simple-command.ts'

type Redirect = 'write' | 'dup' | 'read' | 'here' | 'string'

/** A here-document that was announced, and the bodies that it will be one of. */
export interface PendingBody {
  readonly end: string
  readonly bodies: string[]
}

/** What has been read of one simple command up to the present place. */
export class CommandDraft {
  /** Where it begins in the line, in characters. */
  readonly begin: number
  /** No program is named: the pattern of a `case`, the values of an array. */
  isData = false
  /** Behind its name stands `()`. */
  isDefinition = false
  /** Between `[[` and `]]`. */
  isTest = false
  behind: SimpleCommand['behind']
  readonly #words: ShellWord[] = []
  readonly #writesTo: ShellWord[] = []
  readonly #bodies: string[] = []
  readonly #strings: ShellWord[] = []
  readonly #readsFrom: SimpleCommand | null
  #word: { text: string; expands: boolean } | null = null
  #redirect: Redirect | null = null
  #announces = false

  constructor(begin: number, readsFrom: SimpleCommand | null = null, behind: SimpleCommand['behind'] = null) {
    this.begin = begin
    this.#readsFrom = readsFrom
    this.behind = behind
  }

  /** The word that is being read; null between words. */
  get word(): string | null {
    return this.#word?.text ?? null
  }

  /** Words that are complete and name no target. */
  get words(): readonly ShellWord[] {
    return this.#words
  }

  put(text: string, expands: boolean): void {
    this.#word ??= { text: '', expands: false }
    this.#word.text += text
    this.#word.expands ||= expands
  }

  /** `2` of `2>file` is no word. */
  dropDescriptor(): void {
    if (this.#word && /^\d+$/u.test(this.#word.text)) this.#word = null
  }

  /** What the next word is for. */
  redirect(operator: string): void {
    this.#redirect = REDIRECTS[operator] ?? 'read'
  }

  /** Returns the here-document that the word announces, if it does. */
  endWord(): PendingBody | null {
    const [word, redirect] = [this.#word, this.#redirect]
    if (!word) return null
    this.#word = null
    this.#redirect = null
    if (redirect === 'write' || (redirect === 'dup' && !/^\d*-?$/u.test(word.text))) this.#writesTo.push(word)
    else if (redirect === 'string') this.#strings.push(word)
    else if (redirect === null) this.#words.push(word)
    if (redirect !== 'here') return null
    this.#announces = true
    return { end: word.text, bodies: this.#bodies }
  }

  /** The command as it was read; null: there is nothing of one. */
  whole(): SimpleCommand | null {
    const isSomething = this.#words.length + this.#writesTo.length + this.#strings.length > 0 || this.#announces
    if (!isSomething) return null
    const [words, writesTo, bodies, strings] = [this.#words, this.#writesTo, this.#bodies, this.#strings]
    const { isData, isDefinition, behind } = this
    return { words, writesTo, bodies, strings, readsFrom: this.#readsFrom, isData, isDefinition, behind }
  }

  /** What follows at `begin` when this was nothing: still at the end of the same pipe, or behind the same `&&` or `||`. */
  next(begin: number): CommandDraft {
    return this.whole() === null ? new CommandDraft(begin, this.#readsFrom, this.behind) : new CommandDraft(begin)
  }
}

/** By operator. What is not here is read from. `>&` copies a descriptor or opens a file for both outputs, as its word is a number or not. */
const REDIRECTS: Readonly<Record<string, Redirect>> = {
  '<<': 'here',
  '<<-': 'here',
  '<<<': 'string',
  '>': 'write',
  '>>': 'write',
  '>|': 'write',
  '<>': 'write',
  '>&': 'dup',
}
