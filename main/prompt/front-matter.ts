import { isObject } from '../../shared/lib/json.ts'
import { failed, ok, type Result } from '../../shared/lib/result.ts'

export interface FrontMatter {
  /** The fields by name. Every scalar is a string. Null if the text does not begin with front matter. */
  readonly fields: Readonly<Record<string, unknown>> | null
  /** The text below the front matter, trimmed. */
  readonly body: string
}

const FENCE = /^\uFEFF?---[ \t]*\r?\n(?:([\s\S]*?)\r?\n)?---[ \t]*(?:\r?\n|$)/

/**
 * Parses YAML between two lines of `---` at the start of a Markdown text. The failure is a sentence with the line that cannot be parsed.
 */
export async function readFrontMatter(text: string): Promise<Result<FrontMatter, string>> {
  const found = FENCE.exec(text)
  if (found === null) return ok({ fields: null, body: text.trim() })
  const [whole, front = ''] = found
  // The library is loaded only if a text has front matter, so that other launches of the app are not slowed down.
  const { LineCounter, parseDocument } = await import('yaml')
  const lineCounter = new LineCounter()
  const lines = front.split(/\r?\n/).map(quoted)
  const document = parseDocument(lines.join('\n'), { schema: 'failsafe', uniqueKeys: false, prettyErrors: false, lineCounter })
  const [error] = document.errors
  const fields: unknown = error ? null : (document.toJS() ?? {})
  if (isObject(fields)) return ok({ fields, body: text.slice(whole.length).trim() })
  const at = error ? lineCounter.linePos(error.pos[0]).line : 1
  return failed(`Line ${at + 1} cannot be read: ${(lines[at - 1] ?? '').trim().slice(0, 80)}`)
}

/**
 * Other agents accept values that are not strict YAML: unquoted text that contains ": " or " #", and several lists on one line, as in
 * `argument-hint: [file] [line]`. Such values are quoted first.
 */
function quoted(line: string): string {
  const [, name, value = ''] = /^([A-Za-z][\w-]*\s*:\s+)(\S.*)$/.exec(line) ?? []
  if (name === undefined || /^["'|>&*!]/.test(value)) return line
  const isText = /^[^[\]{}#%@`-]/.test(value) && /:(?:\s|$)|\s#/.test(value)
  const isSeveral = /^\[.*\](?=\s*\S).*$/.test(value) && !/^\[[^\]]*\]$/.test(value.trim())
  return isText || isSeveral ? `${name}${JSON.stringify(value.trim())}` : line
}

/** The fields of a TOML file. The failure is a sentence with the line that cannot be parsed. */
export async function readTomlFields(text: string): Promise<Result<Readonly<Record<string, unknown>>, string>> {
  const { parse, TomlError } = await import('smol-toml')
  try {
    return ok(parse(text))
  } catch (error) {
    if (error instanceof TomlError) return failed(`Line ${error.line} cannot be read.`)
    throw error
  }
}
