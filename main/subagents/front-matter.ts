import { failed, ok, type Result } from '../../shared/lib/result.ts'

export interface FrontMatter {
  /** Each a text, or a list of texts. */
  readonly fields: ReadonlyMap<string, string | readonly string[]>
  /** What stands below it, without blanks around. */
  readonly body: string
}

const FENCE = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/

/**
 * Reads what stands above a Markdown text between two lines of `---`: lines of `name: text`, `name: [a, b]`, or `name:` with lines of `- a`
 * below. That is all of YAML that is understood; a failure is a sentence with its line.
 */
export function readFrontMatter(text: string): Result<FrontMatter, string> {
  const found = FENCE.exec(text)
  if (!found) return failed('It does not begin with its facts between two lines of ---.')
  const fields = new Map<string, string | readonly string[]>()
  let listed: string | null = null
  for (const [index, line] of (found[1] ?? '').split(/\r?\n/).entries()) {
    if (/^\s*(?:#|$)/.test(line)) continue
    const entry = /^\s*-\s+(\S.*)$/.exec(line)
    const field = /^([A-Za-z][\w-]*)\s*:(?:\s+(.*))?$/.exec(line)
    if (entry && listed !== null) {
      const before = fields.get(listed)
      fields.set(listed, [...(Array.isArray(before) ? (before as readonly string[]) : []), plain(entry[1] ?? '')])
    } else if (field && !/^[|>&*!{]/.test(field[2] ?? '')) {
      const [, name = '', value = ''] = field
      fields.set(name, valueOf(value.trim()))
      listed = value.trim() === '' ? name : null
    } else return failed(`Line ${index + 2} cannot be read: ${line.trim().slice(0, 80)}`)
  }
  return ok({ fields, body: text.slice(found[0].length).trim() })
}

function valueOf(value: string): string | readonly string[] {
  const list = /^\[(.*)\]$/.exec(value)
  if (!list) return plain(value)
  return (list[1] ?? '')
    .split(',')
    .map((one) => plain(one.trim()))
    .filter((one) => one !== '')
}

function plain(value: string): string {
  return /^(["'])(.*)\1$/.exec(value.trim())?.[2] ?? value.trim()
}
