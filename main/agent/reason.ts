/**
 * Why a call failed. The model reads all of it. People read it without what only a model can do something about, and with other words where
 * a word means something to the model alone. In a plain template string it becomes the model's text.
 */
export class Reason {
  readonly forModel: string
  readonly forPerson: string

  constructor(forModel: string, forPerson: string) {
    this.forModel = forModel
    this.forPerson = forPerson
  }

  toString(): string {
    return this.forModel
  }
}

/** A plain string is read by both. */
export type ReasonText = string | Reason

/** Words that only the model reads, such as "Use list_dir." */
export const modelOnly = (words: string): Reason => new Reason(words, '')

/** Words of which people read another version: `byReader('old_string', 'the text to replace')`. */
export const byReader = (forModel: string, forPerson: string): Reason => new Reason(forModel, forPerson)

/** What people read of a reason. */
export const personText = (said: ReasonText): string => (typeof said === 'string' ? said : said.forPerson)

/** Builds a reason from text and other reasons. Where people do not read a part, the space before that part goes too. */
export function reason(texts: TemplateStringsArray, ...parts: readonly (ReasonText | number)[]): Reason {
  let forModel = texts[0] ?? ''
  let forPerson = forModel
  for (const [at, part] of parts.entries()) {
    const after = texts[at + 1] ?? ''
    const said = typeof part === 'number' ? String(part) : personText(part)
    forModel += String(part) + after
    forPerson = (said === '' ? forPerson.replace(/ $/u, '') : forPerson + said) + after
  }
  return new Reason(forModel, forPerson.replace(/^ /u, ''))
}

/** Applies a change to both versions. */
export const changed = (said: ReasonText, change: (text: string) => string): Reason =>
  new Reason(change(String(said)), change(personText(said)))

/** Joins reasons with spaces. */
export const joined = (said: readonly ReasonText[]): Reason =>
  said.slice(1).reduce<Reason>((all, next) => reason`${all} ${next}`, reason`${said[0] ?? ''}`)
