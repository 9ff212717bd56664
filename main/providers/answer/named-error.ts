import type { ReportedError } from './answer-reader.ts'
import { optional, textOr } from './fields.ts'

/** Characters of an error's words. */
const LONGEST = 500

/** An error that only the name of its frame tells of: `{"error": …}` or its inside, a text, or whatever stood there. */
export function namedError(data: string): ReportedError {
  const said = parsed(data)
  if (said === null || typeof said !== 'object') return { type: null, words: textOr(said, data).slice(0, LONGEST) }
  const inside = optional(said)['error'] ?? said
  if (typeof inside === 'string') return { type: null, words: inside.slice(0, LONGEST) }
  const { code, status, type, message } = optional(inside)
  const number = [code, status].find((value) => typeof value === 'number')
  return {
    type: textOr(code, textOr(status, textOr(type, null))),
    words: textOr(message, '').slice(0, LONGEST),
    ...(number !== undefined && { status: number }),
    body: data,
  }
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch {
    return data
  }
}
