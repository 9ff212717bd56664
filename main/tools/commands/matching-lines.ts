import { runInNewContext } from 'node:vm'
import { failed, ok, type Result } from '../../../shared/lib/result.ts'

/** A pattern that takes longer has gone astray, ms. */
const PATTERN_MS = 1_000

/** Lines that match a model's regular expression, in bounded time: V8 stops it from outside, as it does with any script. */
export function matchingLines(text: string, pattern: string): Result<string, string> {
  try {
    const source = 'const wanted = new RegExp(pattern, "u"); text.split("\\n").filter((line) => wanted.test(line)).join("\\n")'
    return ok(String(runInNewContext(source, { text, pattern }, { timeout: PATTERN_MS })))
  } catch (error) {
    const reason = error instanceof Error || isErrorOfOther(error) ? error.message : String(error)
    return failed(`The filter ${JSON.stringify(pattern)} cannot be used: ${reason}.`)
  }
}

/** Errors of the script are of its own world. */
function isErrorOfOther(error: unknown): error is { readonly message: string } {
  return typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string'
}
