/**
 * Finds placeholders for code that a model should have written: "// ... rest of the code unchanged", "# existing code here", "[remaining
 * methods omitted]". Returns the first such line that is in `text` but not in `previous`; null if there is none.
 */
export function omissionPlaceholder(text: string, previous: string): string | null {
  for (const line of text.split('\n')) {
    if (line.length <= LONGEST && isOmission(line) && !previous.includes(line.trim())) return line.trim()
  }
  return null
}

/** Maximum number of characters of a placeholder. A longer line is real content. */
const LONGEST = 160

const DOTS = /\.{3,}|…/u
const OUTER_DOTS = /^(?:\.{3,}|…)\s*|\s*(?:\.{3,}|…)$/gu
const COMMENT = /^(?:\/\/+|\/\*+|#+|--+|<!--|;+|%+|\{\s*\/\*+|\(\*|"""|''')\s*(?<said>.*?)\s*(?:\*+\/\s*\}?|-->|\*\)|"""|''')?$/u
const BRACKETS = /^[[(<{]\s*(?<said>.*?)\s*[\])>}]$/u
const THINGS =
  '(?:code|content|contents|file|functions?|methods?|class|classes|implementations?|logic|lines?|imports?|parts?|sections?|components?|styles?|tests?|items?|properties|fields|body|definitions?)'
const FATES =
  '(?:unchanged|the same|same|as before|as is|as-is|here|omitted|remains?|stays?|goes here|continues|above|below|not shown|elided)'

/** For example "rest of the code", "existing methods unchanged", "unchanged code". */
const PHRASES: readonly RegExp[] = [
  new RegExp(String.raw`^(?:the )?(?:rest|remainder) of (?:the |your |this )?(?:\w+ )?${THINGS}\b`, 'iu'),
  new RegExp(String.raw`^(?:the )?(?:remaining|existing|previous|other|unchanged|original) (?:\w+ )?${THINGS}(?: \w+)? ${FATES}$`, 'iu'),
  new RegExp(String.raw`^(?:unchanged|omitted) ${THINGS}$`, 'iu'),
  /^(?:the )?(?:rest|remainder|everything else|all else) (?:(?:is|stays?|remains?|left|kept) )?(?:unchanged|the same|as before|as is|as-is|omitted|elided|not shown)$/iu,
  /^(?:the )?same as before$/iu,
]

/** Phrases that do not say what happens to the code. They do not count in a line that looks like a Markdown heading. */
const BARE_PHRASE = /^(?:your |the )?(?:existing|remaining) (?:code|logic|implementation|contents?)$/iu
const HEADING = /^#+ *\p{Lu}|^##/u

/** A phrase after dots, such as "... remains the same". */
const FATE_WITH_DOTS =
  /^(?:(?:is|stays?|remains?|left|kept) )?(?:unchanged|the same|same as (?:before|above)|as before|as is|as-is|omitted|elided|not shown)$/iu

/** An expression directly after or before dots, as in JavaScript's spread and C++'s pack expansion: `...rest`, `...rest.props as Props`, `rest...`. */
const SPREAD = /^(?:\.{3}(?:[\p{L}_$][\w$.?![\]()]*|\([^()]*\)|\[[^[\]]*\])(?: (?:as|satisfies) \w+)?|[\p{L}_]\w*\.{3})$/u

/** Phrases with dots before or after them, where a verb or a noun is enough: "... keep existing code ...", "... other methods". */
const WITH_DOTS = new RegExp(
  String.raw`^(?:(?:keep|leave|insert|include|retain|add) )?(?:all )?(?:the )?(?:rest|remaining|existing|previous|other|unchanged|original|same|omitted)\b(?: of)?(?: the| your| this)?(?: \w+){0,3}$`,
  'iu',
)

function isOmission(line: string): boolean {
  const trimmed = line.trim()
  const remark = COMMENT.exec(trimmed)?.groups?.['said']
  const said = remark ?? BRACKETS.exec(trimmed)?.groups?.['said'] ?? dotted(trimmed)
  if (said === undefined || (remark === undefined && SPREAD.test(said))) return false
  const inner = withoutDots(said)
  const bare = withoutDots(BRACKETS.exec(inner)?.groups?.['said'] ?? inner)
  if (PHRASES.some((phrase) => phrase.test(bare))) return true
  if (remark !== undefined && BARE_PHRASE.test(bare) && !HEADING.test(trimmed)) return true
  return DOTS.test(said) && (WITH_DOTS.test(bare) || FATE_WITH_DOTS.test(bare))
}

function withoutDots(text: string): string {
  return text.replace(OUTER_DOTS, '').replace(/[.:!]$/u, '')
}

/** A line without a comment marker or brackets counts as a remark only if it begins with dots. */
function dotted(line: string): string | undefined {
  return line.startsWith('...') || line.startsWith('…') ? line : undefined
}
