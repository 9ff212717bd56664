/** Command-line flags converted to arguments of grep. `flags` contains the unsupported flags, which the refusal lists. */
export type GrepFlags = Readonly<Record<string, unknown>>

type Meaning = (value: string) => GrepFlags

const is =
  (args: GrepFlags): Meaning =>
  () =>
    args
const number =
  (name: string): Meaning =>
  (value) => ({ [name]: /^\d+$/u.test(value) ? Number(value) : value })
const text =
  (name: string): Meaning =>
  (value) => ({ [name]: value })

/** Flags without a value. Flags that only affect printing, or that are the default here, are dropped. */
const PLAIN: ReadonlyMap<string, Meaning> = new Map(
  (
    [
      [['i', 'ignore-case'], { case_sensitive: false }],
      [['s', 'case-sensitive'], {}],
      [['S', 'smart-case'], { smart_case: true }],
      [['U', 'multiline', 'multiline-dotall'], { multiline: true }],
      [['l', 'files-with-matches'], { output_mode: 'files_with_matches' }],
      [['c', 'count'], { output_mode: 'count' }],
      [['F', 'fixed-strings'], { fixed_strings: true }],
      [['w', 'word-regexp'], { word: true }],
      [['x', 'line-regexp'], { whole_line: true }],
      [['v', 'invert-match'], { invert: true }],
      [['n', 'line-number', 'H', 'with-filename', 'no-heading', 'heading', 'column', 'N', 'no-line-number'], {}],
      [['r', 'R', 'recursive', 'E', 'extended-regexp', 'P', 'pcre2', 'perl-regexp', 'I', 'hidden', '.', 'no-messages', 'no-config'], {}],
    ] as const
  ).flatMap(([names, args]) => names.map((name) => [name, is(args)] as const)),
)

const VALUED: ReadonlyMap<string, Meaning> = new Map(
  (
    [
      [['A', 'after-context'], number('after_context')],
      [['B', 'before-context'], number('before_context')],
      [['C', 'context'], number('context_lines')],
      [['m', 'max-count'], number('max_count')],
      [['g', 'glob', 'include'], text('include')],
      [['t', 'type'], text('type')],
      [['color', 'colors', 'sort', 'j', 'threads'], is({})],
    ] as const
  ).flatMap(([names, meaning]) => names.map((name) => [name, meaning] as const)),
)

/** Reads ripgrep's flags, from one string or a list of words. */
export function grepFlags(value: unknown): GrepFlags {
  const words = wordsOf(value)
  let args: GrepFlags = {}
  const unknown: string[] = []
  const globs: string[] = []
  const take = (named: GrepFlags): void => {
    if (typeof named['include'] === 'string') globs.push(named['include'])
    args = { ...args, ...named }
  }
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    const rest = word.startsWith('--') ? takeLong(word, words, take) : takeShort(word, words, take)
    if (rest !== null) unknown.push(rest)
  }
  const include = globs.length > 1 ? joined(globs) : globs[0]
  if (include === null) unknown.push(...globs.map((glob) => `--glob=${glob}`))
  return { ...args, ...(globs.length > 0 && include !== null && { include }), ...(unknown.length > 0 && { flags: unknown.join(' ') }) }
}

function wordsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.filter((word) => typeof word === 'string' || typeof word === 'number').map(String)
  const found = typeof value === 'string' ? value.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/gu) : null
  return (found ?? []).map((word) => word.replaceAll(/"([^"]*)"|'([^']*)'/gu, '$1$2'))
}

/** Handles a long flag. Returns the flag if it is not supported, otherwise null. */
function takeLong(word: string, next: string[], take: (args: GrepFlags) => void): string | null {
  const [name = '', value] = word.slice(2).split(/=(.*)/su)
  const valued = VALUED.get(name)
  const given = valued && value === undefined ? next.shift() : value
  const meaning = name.length > 1 ? (valued ?? (value === undefined ? PLAIN.get(name) : undefined)) : undefined
  if (!meaning || (valued && given === undefined)) return word
  take(meaning(given ?? ''))
  return null
}

/** Handles short flags such as `-inC2`. The last letter may have a value, attached or as the next word. */
function takeShort(word: string, next: string[], take: (args: GrepFlags) => void): string | null {
  if (!/^-./u.test(word)) return word
  for (let at = 1; at < word.length; at++) {
    const letter = word[at] ?? ''
    const valued = VALUED.get(letter)
    const meaning = valued ?? PLAIN.get(letter)
    const value = word.slice(at + 1).replace(/^=/u, '') || (valued && next.shift())
    if (!meaning || (valued && !value)) return `-${word.slice(at)}`
    take(meaning(value ?? ''))
    if (valued) return null
  }
  return null
}

/** Combines several globs into one. Null if that is not possible. */
export function joined(globs: readonly string[]): string | null {
  return globs.some((glob) => /[!/]/u.test(glob)) ? null : `{${globs.join(',')}}`
}
