/** An expansion of numbers alone, or of names too. */
const NUMBERS = /\$\(\((?:[\d\s+\-*/%<>=!&|^~?:,]|\([\d\s+\-*/%<>=!&|^~?:,]*\))*\)\)/gu
const NAMES = /\$\(\((?:[\w\s+\-*/%<>=!&|^~?:,]|\$\w|\([\w\s+\-*/%<>=!&|^~?:,]*\))*\)\)/gu
/** A name's value is reckoned too, and may hold a substitution: only what the line itself can give it is harmless. */
const FILLS = /\$\((?!\()|`|\b(?:eval|source|printf)\b|\w\[/u

/** The line with `$((…))` as a plain variable, since reckoning runs nothing; as a command that nobody knows where a name may hold one. */
export function withoutArithmetic(line: string): string {
  const plain = line.replaceAll(NUMBERS, '$$NUMBER')
  return plain.replaceAll(NAMES, FILLS.test(plain) ? '$$($$UNTOLD)' : '$$NUMBER')
}
