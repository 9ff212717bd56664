import type { JsonValue } from '../../shared/session/content.ts'
import type { ToolOutput } from './ports/tool.ts'

/** The output of a failed call. `output` is for the model. */
export function failure(output: string, details: JsonValue = null): ToolOutput {
  return { output, isError: true, details }
}

/** What the model reads when a tool throws. */
export function toolError(error: unknown): string {
  return `Tool error: ${error instanceof Error ? error.message : String(error)}`
}
