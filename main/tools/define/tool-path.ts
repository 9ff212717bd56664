import { modelOnly, type ReasonText, reason } from '../../agent/reason.ts'
import { failure } from '../../agent/tool-output.ts'
import type { FileFailure } from '../../agent/ports/execution-environment.ts'
import type { PathFacts, PrepareContext, Prepared, RunContext, ToolOutput } from '../../agent/ports/tool.ts'
import { type Result, failed, ok } from '../../../shared/lib/result.ts'
import { existingPath } from './existing-name.ts'

export function rejected(why: ReasonText): Prepared {
  return { kind: 'rejected', output: failure(why) }
}

/** The environment's failure with its code. Any other error is a bug or an abort, and is thrown again. */
export function fileFailure(error: unknown): FileFailure {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string' && error.name !== 'AbortError') {
    return { code: error.code, message: error.message }
  }
  throw error
}

/**
 * The location of a path, or the reason why the path cannot be used. If only the other Unicode form of a name exists, it is meant, so that
 * no call makes a second file whose name looks the same.
 */
export async function locate(context: PrepareContext, path: string): Promise<Result<PathFacts, ReasonText>> {
  if (!path.isWellFormed())
    return failed(reason`The path contains half a character (a lone surrogate). ${modelOnly('Send the complete character.')}`)
  try {
    const place = await context.place(path)
    const existing = await existingPath(context.env, place.path)
    return ok(existing === place.path ? place : await context.place(existing))
  } catch (error) {
    return failed(`${shownPath(path)} cannot be used: ${fileFailure(error).message}`)
  }
}

/**
 * Returns the failure of a prepared call if its path now leads to another place, because an earlier call or another program created a link
 * while the call waited for its signature. Null if the path still leads to the same place. Rejects as `realpath` does.
 */
export async function leadsElsewhere(run: RunContext, { path, shown }: Pick<PathFacts, 'path' | 'shown'>): Promise<ToolOutput | null> {
  if ((await run.env.realpath(path)) === path) return null
  const why = reason`${shownPath(shown)} leads to a different place than when the call was prepared. Nothing was done. ${modelOnly('Make the call again.')}`
  return failure(why)
}

/** Maximum number of characters of a path in a message, and how many of them are taken from its end, which contains the name. */
const PATH_CHARS = 300
const PATH_END = 200

/** A path in a form that fits into a line of text. Control characters are escaped, so that a name can neither break the line nor color it. */
export function shownPath(path: string): string {
  const plain = path.replace(/[\0-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, escaped)
  if (plain.length <= PATH_CHARS) return plain
  return `${plain.slice(0, PATH_CHARS - PATH_END).toWellFormed()}…${plain.slice(-PATH_END).toWellFormed()}`
}

function escaped(char: string): string {
  if (char === '\n') return String.raw`\n`
  if (char === '\t') return String.raw`\t`
  if (char === '\r') return String.raw`\r`
  return `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`
}
