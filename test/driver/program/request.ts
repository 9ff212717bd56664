import { z } from 'zod'
import { isNestedDeeper, MAX_LEVELS } from '../../../shared/lib/json.ts'
import { failed, ok, type Result } from '../../../shared/lib/result.ts'
import { explainIssues } from '../../../main/tools/define/explain-invalid-arguments.ts'

/**
 * One line of input. `op`: a tool's canonical name or one of the driver's own operations. `cwd` is null for an operation that needs no
 * folder.
 */
export interface DriverRequest {
  readonly id: RequestId
  readonly op: string
  readonly cwd: string | null
  readonly args: unknown
}

/** The id that the client sent. Null if it could not be read. */
export type RequestId = string | number | null

/** One line of output. */
export type DriverAnswer =
  | { readonly id: RequestId; readonly ok: true; readonly output: unknown }
  | { readonly id: RequestId; readonly ok: false; readonly error: string }

const requestSchema = z.object({
  id: z.union([z.string(), z.number()]),
  op: z.string().min(1),
  cwd: z.string().min(1).nullish(),
  args: z.unknown().optional(),
})

/** Maximum number of nesting levels that a request may have around the arguments of a call. Real requests need fewer. */
const AROUND = 32

/** Parses one line. If that fails, the `failure` is the answer to send. It contains the id if the id could be read. */
export function parseRequest(line: string): Result<DriverRequest, DriverAnswer> {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (error) {
    return failed(refusal(null, `The line is not JSON: ${error instanceof Error ? error.message : String(error)}`))
  }
  if (isNestedDeeper(line, MAX_LEVELS + AROUND))
    return failed(refusal(idOf(value), `The request is nested more than ${MAX_LEVELS + AROUND} levels deep.`))
  const parsed = requestSchema.safeParse(value)
  if (parsed.success) return ok({ ...parsed.data, cwd: parsed.data.cwd ?? null, args: parsed.data.args ?? {} })
  return failed(refusal(idOf(value), `Not a request {id, op, cwd, args}: ${String(explainIssues(parsed.error.issues, value))}`))
}

export function refusal(id: RequestId, error: string): DriverAnswer {
  return { id, ok: false, error }
}

/** An answer as a line. If it cannot be serialized, the line is an error answer. */
export function written(answer: DriverAnswer): string {
  try {
    return `${JSON.stringify(answer)}\n`
  } catch (error) {
    return `${JSON.stringify(refusal(answer.id, `The answer cannot be written: ${error instanceof Error ? error.message : String(error)}`))}\n`
  }
}

function idOf(value: unknown): RequestId {
  if (typeof value !== 'object' || value === null || !('id' in value)) return null
  return typeof value.id === 'string' || typeof value.id === 'number' ? value.id : null
}
