/**
 * An expression of a Lark grammar. Only the features of Lark that our grammar uses are supported (rules, strings, patterns, groups, `|`,
 * `?`, `*`, `+`).
 */
type Expression =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'pattern'; readonly pattern: RegExp }
  | { readonly kind: 'rule'; readonly name: string }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly Expression[] }
  | { readonly kind: 'repeat'; readonly part: Expression; readonly min: 0 | 1; readonly many: boolean }

export type Grammar = ReadonlyMap<string, Expression>

const TOKEN = /\s*(?:"((?:[^"\\]|\\.)*)"|\/((?:[^/\\]|\\.)+)\/|([A-Za-z_]+)|([()|?*+]))/y

/** Throws on anything outside the supported part of Lark, and on a name that is not defined or is defined twice. */
export function readGrammar(text: string): Grammar {
  const rules = new Map<string, Expression>()
  const add = (name: string, expression: Expression): void => {
    if (rules.has(name)) throw new Error(`${name} is defined twice.`)
    rules.set(name, expression)
  }
  for (const line of text.split('\n').filter(Boolean)) {
    if (line === '%import common.LF') add('LF', { kind: 'pattern', pattern: /\r?\n/y })
    else {
      const [, name = '', body = ''] = /^([A-Za-z_]+): (.+)$/u.exec(line) ?? []
      add(name, expressionOf(tokensOf(body)))
    }
  }
  for (const name of [...rules.values()].flatMap(named)) if (!rules.has(name)) throw new Error(`${name} is not defined.`)
  return rules
}

function named(expression: Expression): readonly string[] {
  if (expression.kind === 'rule') return [expression.name]
  if (expression.kind === 'repeat') return named(expression.part)
  return 'parts' in expression ? expression.parts.flatMap(named) : []
}

type Token = Expression | '(' | ')' | '|' | '?' | '*' | '+'

function tokensOf(body: string): Token[] {
  const tokens: Token[] = []
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < body.length) {
    const at = TOKEN.lastIndex
    const found = TOKEN.exec(body)
    if (!found) throw new Error(`Not understood: ${body.slice(at)}`)
    const [, text, pattern, name, sign] = found
    if (text !== undefined) tokens.push({ kind: 'text', text })
    else if (pattern !== undefined) tokens.push({ kind: 'pattern', pattern: new RegExp(pattern, 'y') })
    else if (name !== undefined) tokens.push({ kind: 'rule', name })
    else tokens.push(sign as '(')
  }
  return tokens
}

function expressionOf(tokens: Token[]): Expression {
  const choices: Expression[][] = [[]]
  for (let token = tokens.shift(); token !== undefined && token !== ')'; token = tokens.shift()) {
    const parts = choices.at(-1) ?? []
    if (token === '|') choices.push([])
    else if (token === '(') parts.push(expressionOf(tokens))
    else if (typeof token === 'object') parts.push(token)
    else {
      const part = parts.pop()
      if (!part) throw new Error(`${token} repeats nothing.`)
      parts.push({ kind: 'repeat', part, min: token === '+' ? 1 : 0, many: token !== '?' })
    }
  }
  return { kind: 'choice', parts: choices.map((parts) => ({ kind: 'sequence', parts })) }
}

/** Whether the entire text matches the grammar. All alternatives are tried, so ambiguity does not matter. */
export function accepts(grammar: Grammar, text: string): boolean {
  const ends = (expression: Expression, at: number): ReadonlySet<number> => {
    switch (expression.kind) {
      case 'text':
        return new Set(text.startsWith(expression.text, at) ? [at + expression.text.length] : [])
      case 'pattern': {
        expression.pattern.lastIndex = at
        const found = expression.pattern.exec(text)
        return new Set(found ? [at + found[0].length] : [])
      }
      case 'rule':
        return ends(grammar.get(expression.name) as Expression, at)
      case 'choice':
        return new Set(expression.parts.flatMap((part) => [...ends(part, at)]))
      case 'sequence':
        return expression.parts.reduce<ReadonlySet<number>>((from, part) => after(part, from), new Set([at]))
      case 'repeat': {
        const all = new Set(expression.min === 0 ? [at] : [])
        let fresh: ReadonlySet<number> = after(expression.part, new Set([at]))
        do {
          const more = [...fresh].filter((end) => !all.has(end))
          for (const end of more) all.add(end)
          fresh = expression.many ? after(expression.part, new Set(more)) : new Set()
        } while (fresh.size > 0)
        return all
      }
    }
  }
  const after = (part: Expression, from: ReadonlySet<number>): ReadonlySet<number> =>
    new Set([...from].flatMap((at) => [...ends(part, at)]))
  return ends({ kind: 'rule', name: 'start' }, 0).has(text.length)
}

/**
 * Returns a random text that matches the grammar. `random` returns numbers below 1, and `terminal` returns the text of a named terminal.
 */
export function written(grammar: Grammar, random: () => number, terminal: (name: string) => string): string {
  const write = (expression: Expression): string => {
    switch (expression.kind) {
      case 'text':
        return expression.text
      case 'pattern':
        throw new Error('Only named terminals have patterns.')
      case 'rule':
        return /^[A-Z]/u.test(expression.name) ? terminal(expression.name) : write(grammar.get(expression.name) as Expression)
      case 'choice':
        return write(expression.parts[Math.floor(random() * expression.parts.length)] as Expression)
      case 'sequence':
        return expression.parts.map(write).join('')
      case 'repeat': {
        const times = expression.min + Math.floor(random() * (expression.many ? 3 : 2))
        return Array.from({ length: times }, () => write(expression.part)).join('')
      }
    }
  }
  return write({ kind: 'rule', name: 'start' })
}
