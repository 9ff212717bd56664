/** Names of POSIX classes as ripgrep has them (ASCII), as what stands inside a JavaScript class. */
const POSIX: Readonly<Record<string, string>> = {
  alpha: 'A-Za-z',
  digit: '0-9',
  alnum: 'A-Za-z0-9',
  upper: 'A-Z',
  lower: 'a-z',
  space: String.raw`\s`,
  blank: String.raw` \t`,
  punct: String.raw`!-\/:-@\[-\x60{-~`,
  xdigit: 'A-Fa-f0-9',
  word: String.raw`\w`,
  cntrl: String.raw`\x00-\x1f\x7f`,
  print: String.raw`\x20-\x7e`,
  graph: String.raw`\x21-\x7e`,
}

/**
 * A ripgrep pattern as a JavaScript one: flags at its beginning, `(?P<name>`, POSIX classes and `\A`, `\z` are translated; the rest of
 * the two dialects is the same in what people write. Throws a `SyntaxError` with the engine's words.
 */
export function patternFromRust(pattern: string, options: { readonly caseSensitive: boolean; readonly multiline: boolean }): RegExp {
  const [, inline = '', body = pattern] = /^\(\?([imsU]+)\)([^]*)$/.exec(pattern) ?? []
  const source = body
    .replaceAll('(?P<', '(?<')
    .replaceAll(/\[:(\w+):\]/g, (whole, name: string) => POSIX[name] ?? whole)
    .replaceAll(/\\([Az])/g, (_whole, anchor: string) => (anchor === 'A' ? '(?<![^])' : '(?![^])'))
  const flags = new Set(['s', ...(options.multiline ? ['g', 'm'] : []), ...(options.caseSensitive && !inline.includes('i') ? [] : ['i'])])
  try {
    return new RegExp(source, ['u', ...flags].join(''))
  } catch {
    // Under `u` an escape that means nothing is an error; ripgrep lets some of those pass.
    return new RegExp(source, [...flags].join(''))
  }
}
