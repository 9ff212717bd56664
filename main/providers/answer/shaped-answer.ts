import { isObject } from '../../../shared/lib/json.ts'
import { failed, ok, type Result } from '../../../shared/lib/result.ts'
import type { AnswerShape, ModelAnswer, ProviderFailure } from '../../agent/ports/provider.ts'
import type { StopReason } from '../../../shared/session/events.ts'
import { failure } from '../failures/failures.ts'

/**
 * Checks the answer to a request for a JSON object. If the answer calls the tool that stands for the object, the call's arguments become
 * the answer's text. Answers with other calls or a stop reason in `IS_HALF` are returned unchanged. If the text is cut off or is not a JSON
 * object, fails with `no_object`.
 */
export function shapedAnswer(answer: ModelAnswer, shape: AnswerShape | undefined, service: string): Result<ModelAnswer, ProviderFailure> {
  if (!shape) return ok(answer)
  const given = answer.parts.find((part) => part.kind === 'tool_call' && part.toolName === shape.name)
  const read: ModelAnswer =
    given?.kind === 'tool_call' ? { ...answer, parts: [{ kind: 'text', text: given.argsText }], stopReason: spoken(answer) } : answer
  if (IS_HALF.has(read.stopReason) || read.parts.some(({ kind }) => kind === 'tool_call')) return ok(read)
  const text = read.parts.map((part) => (part.kind === 'text' ? part.text : '')).join('')
  if (read.stopReason !== 'length' && isObjectText(text)) return ok(read)
  const why = read.stopReason === 'length' ? 'it reached its length limit' : 'it is not a JSON object'
  return failed(failure('no_object', `The answer of ${service} does not have the requested form: ${why}.`))
}

/** With these stop reasons, the answer's form is not checked, because the caller must handle the stop reason. */
const IS_HALF: ReadonlySet<StopReason> = new Set(['content_filter', 'pause', 'error', 'other'])

/** Returns the stop reason after the call was converted to text: the answer no longer ends with calls. */
function spoken({ stopReason }: ModelAnswer): ModelAnswer['stopReason'] {
  return stopReason === 'tool_calls' ? 'stop' : stopReason
}

function isObjectText(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value)
  } catch {
    return false
  }
}
