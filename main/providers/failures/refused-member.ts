import { wordList } from '../../../shared/lib/word-list.ts'
import { CACHE_MARK, FREE_FORM } from '../body/body-overrides.ts'

/** Members that every request needs, so they are never left out. */
const NEEDED: ReadonlySet<string> = new Set(
  wordList(`
  model stream messages input contents tools system systemInstruction instructions max_tokens tool_choice text response_format
  generationConfig.responseMimeType generationConfig.responseJsonSchema output_config.format
`),
)
const REFUSED_CODES = /^(unsupported|unknown|invalid)_(parameter|value)$/
const REFUSING =
  /not (currently |be )?(support|permit|allow|recogni|accept|available|known)|n['’]t (support|allow|accept|recogni)|unsupported|unrecogni[sz]ed|unknown|unexpected|\bextra\b|invalid value|must be verified|cannot find field|no longer|does not exist/i
/** Whether the name may also be an ordinary English word. Such a name counts only if the text refers to it as a member. */
const isPlain = (leaf: string): boolean => !leaf.includes('_')

/**
 * The path of the optional request member that a refusal mentions; null if it mentions none. `body` is the request's JSON up to its
 * messages, so only members that were sent are found.
 */
export function refusedMember(refusal: unknown, body: string): string | null {
  const { status, words, param, code } = saidIn(refusal)
  if (status !== 400 && status !== 422) return null
  const sent = JSON.parse(body) as unknown
  if (isFreeFormRefused(sent, `${param} ${words}`)) return FREE_FORM
  if (/^(messages|input|contents|tools)\b/.test(param) || /^(messages|input|contents)[.[]/.test(words)) return null
  const members = membersOf(sent)
  const exact = members.find((path) => snake(path) === snake(param))
  if (exact !== undefined) return exact
  if (!REFUSING.test(words) && !REFUSED_CODES.test(code)) return null
  return members.find((path) => isNamed(path, snake(words))) ?? null
}

/** Matches the words that services use for tools that are called with plain text. `TOOL_PLACE` finds the index of a tool in the list. */
const OF_FREE_FORM =
  /custom[_ -]tool|["'`“‘]custom["'`”’]|\bcustom\b.{0,30}\btype|\btype\b.{0,30}\bcustom\b|\bgrammar|\blark\b|free-?form|tool type/i
const TOOL_PLACE = /\btools["'\]]{0,2}[[.,\s]{1,3}(\d+)/g

/**
 * Whether the refusal is about tools that are called with plain text: it names them, or it contains the index of such a tool in the list.
 */
function isFreeFormRefused(sent: unknown, words: string): boolean {
  const tools = fieldsOf(sent)['tools']
  const isCustom = (tool: unknown): boolean => fieldsOf(tool)['type'] === 'custom'
  if (!Array.isArray(tools) || !tools.some(isCustom)) return false
  return OF_FREE_FORM.test(words) || [...words.matchAll(TOOL_PLACE)].some(([, place]) => isCustom(tools[Number(place)]))
}

/**
 * Whether the text mentions the member with this path. `reasoning.summary` matches with a dot or a space, and in the plural.
 * `thinkingLevel` matches even without its parent. Plain words such as `store` match only in quotes or as a "parameter".
 */
function isNamed(path: string, text: string): boolean {
  const parts = snake(path).split('.')
  const loose = (name: string): string => name.replaceAll('_', '[_\\s]?').replace(/y$/, '(?:y|ies)')
  const leaf = parts.at(-1) ?? ''
  if (parts.length > 1 && new RegExp(`\\b${parts.map(loose).join('[._\\s]')}`).test(text)) return true
  if (!isPlain(leaf)) return new RegExp(`(?<![a-z])${loose(leaf)}(?![a-z])`).test(text)
  const quoted = new RegExp(`["'\`“‘]${leaf}["'\`”’.]|\\b${leaf} parameter|parameter:? ${leaf}\\b|^${leaf}[:.]`)
  return (
    quoted.test(text) ||
    (/^(thinking|effort|reasoning)$/.test(leaf) && new RegExp(`\\b${leaf}\\b.{0,40}not support|not support.{0,40}\\b${leaf}\\b`).test(text))
  )
}

/** Paths of the members that can be left out, deepest first. */
function membersOf(body: unknown, before = ''): readonly string[] {
  if (body === null || typeof body !== 'object' || Array.isArray(body)) return []
  const inside = Object.entries(body).flatMap(([name, value]): readonly string[] => {
    const path = `${before}${name}`
    return NEEDED.has(path) ? [] : [...membersOf(value, `${path}.`), path]
  })
  return before === '' && JSON.stringify(body).includes(`"${CACHE_MARK}"`) ? [...inside, CACHE_MARK] : inside
}

const snake = (text: string): string => text.replaceAll(/([a-z])([A-Z])/g, '$1_$2').toLowerCase()

interface Said {
  readonly status: number
  readonly words: string
  readonly param: string
  readonly code: string
}

/**
 * Reads an error that an SDK threw. `status` is the HTTP status, and `error` contains the service's error, which may be wrapped in another
 * object.
 */
function saidIn(refusal: unknown): Said {
  const { status, error, message } = fieldsOf(refusal)
  const outer = fieldsOf(Array.isArray(error) ? error[0] : error)
  const said = outer['error'] === undefined ? outer : fieldsOf(outer['error'])
  const words = [said['message'], outer['error'], outer['message'], outer['detail'], message].find((text) => typeof text === 'string')
  const text = (value: unknown): string => (typeof value === 'string' ? value : '')
  const detail = outer['detail'] ?? said['detail']
  return {
    status: typeof status === 'number' ? status : 0,
    words: words === undefined ? JSON.stringify(detail ?? '') : text(words),
    param: text(said['param']),
    code: text(said['code']),
  }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return value !== null && typeof value === 'object' ? { ...value, ...(value instanceof Error && { message: value.message }) } : {}
}
