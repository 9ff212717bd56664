/** Programs that print numbers alone where their arguments are these: literal, without anything that the shell looks up. */
const COUNTS = [
  /(?:seq|expr|nproc)(?: +[\w.+%/-]+| +\\\*)*/u,
  /getconf +_?NPROCESSORS_(?:ONLN|CONF)/u,
  /wc(?: +-[clmwL]+)*(?: *< *[\w.+/-]+)?/u,
  /date(?: +-u)? +["']?\+(?:%[sNdmYHMSju])+["']?/u,
  /id +-[ugG]/u,
  /grep +-c +["']?[\w ]+["']? +[\w.+/][\w.+/-]*/u,
]
/** The same of what is counted; such a command may still do something else, and is judged for that. */
const PIPED = /(?:cat|ls|grep|find|git|sort|head|tail|echo)(?: +[\w.=:@+,/-]+| +["'][\w.*=:@+,/ -]*["'])* *\| *(?:sort *\| *)?wc +-[clmw]/u
const counting = (some: readonly RegExp[]): string => String.raw`\$\( *(?:${some.map(({ source }) => source).join('|')}) *\)`
const COUNTED = new RegExp(counting([...COUNTS, PIPED]), 'gu')
/** A line that may give one of these names another meaning. */
const RENAMES = /\(\s*\)|\b(?:function|alias|hash|enable|PATH|TZ|LC_\w+|LANG)\b/u

const reckoned = (parts: string, inner: string): RegExp =>
  new RegExp(String.raw`\$\(\((?:[${parts}\s+\-*/%<>=!&|^~?:,]|${inner}\([${parts}\s+\-*/%<>=!&|^~?:,]*\))*\)\)`, 'gu')
/** An expansion of numbers alone, or of names too, or of what is counted as well. */
const NUMBERS = reckoned(String.raw`\d`, '')
const NAMES = reckoned(String.raw`\w`, String.raw`\$\w|`)
const COUNTS_TOO = reckoned(String.raw`\w`, String.raw`\$\w|${counting(COUNTS)}|`)
/** A name's value is reckoned too, and may hold a substitution: only what the line itself can give it is harmless. */
const FILLS = /\$\((?!\()|`|\b(?:eval|source|printf)\b|\w\[/u

/** What gives names values that its words do not name, or by names that they do not. */
const SETS_UNSEEN =
  /\b(?:eval|source|declare|typeset|local|export|readonly|mapfile|readarray|getopts|let|coproc)\b|\bprintf\b(?!["']? +(?:["']?[\w%]|["']\\\w))|\bread\b[^;&|\n]*\$|(?:^|[;&|({\n])\s*\.\s|\\\n|\w\[|(?<!\$)\(\(/u
/** A word that is not written as it is read. */
const DISGUISED = /(?:^|[\s;&|({])(?:[A-Za-z]*\\[A-Za-z]|[A-Za-z]+["'][A-Za-z"']|["'][A-Za-z]*["'][A-Za-z"'])/u
/** Names that bash fills by itself, and the words that a line was begun with. */
const FILLED_BY_BASH = /\$\d|\b(?:_|REPLY|OPTARG|MAPFILE|COPROC|DIRSTACK|PWD|OLDPWD|BASH\w*|COMP_\w*|READLINE_\w*|PS\d)\b/u
const NUMBER = String.raw`-?\d+|\$NUMBER`

/** A place where this name may get something else than a number. */
const filledElsewhere = (name: string): RegExp =>
  new RegExp(
    [
      String.raw`(?<=^|[\s;&|(){}\x60])${name}\+?=(?!(["']?)(?:${NUMBER}|\$\{?${name}\b\}?)\1(?:[\s;&|)]|$))`,
      String.raw`\b(?:for|select)\s+${name}\b(?! +in(?: +(?:${NUMBER}|\{\d+\.\.\d+\}))+ *[;\n])`,
      String.raw`\bread\b[^;&|\n]*\b${name}\b`,
      String.raw`\$\{${name}(?![\w}])`,
    ].join('|'),
    'u',
  )

/** Whether every name that is reckoned with gets nothing but numbers in this line, whatever others are filled with. */
function reckonsWithOwnNumbers(plain: string): boolean {
  const reckonings = [...plain.matchAll(COUNTS_TOO)].map(([reckoning]) => reckoning.replaceAll(COUNTED, '0'))
  const line = plain.replaceAll(COUNTED, '0').replaceAll(COUNTS_TOO, '0')
  if (SETS_UNSEEN.test(line) || DISGUISED.test(line) || reckonings.some((reckoning) => FILLED_BY_BASH.test(reckoning))) return false
  const names = new Set(reckonings.flatMap((reckoning) => reckoning.match(/[A-Za-z_]\w*/gu) ?? []))
  return [...names].every((name) => !filledElsewhere(name).test(line))
}

/**
 * The line with `$((…))` as a plain variable, since reckoning runs nothing; as a command of its own, `UNTOLD`, where it reckons with what
 * a command prints or a file holds: that may hold a command itself.
 */
export function withoutArithmetic(line: string): string {
  const plain = line.replaceAll(NUMBERS, '$$NUMBER')
  if (RENAMES.test(plain)) return plain.replaceAll(NAMES, FILLS.test(plain) ? `$$($$${UNTOLD})` : '$$NUMBER')
  const isTold = !FILLS.test(plain.replaceAll(COUNTED, '0')) || reckonsWithOwnNumbers(plain)
  return plain.replaceAll(COUNTS_TOO, isTold ? '$$NUMBER' : `$$($$${UNTOLD})`)
}

/** Stands for a command that nobody knows. */
export const UNTOLD = 'RECKONED_WITH_WHAT_IS_UNTOLD'

/** Whether the line reckons with what its words do not tell. */
export function reckonsWithUntold(line: string): boolean {
  return withoutArithmetic(line).includes(UNTOLD)
}
