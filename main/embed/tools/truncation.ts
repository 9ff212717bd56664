import { DEFAULT_LINE_LIMITS as LINE_LIMITS, type TruncationConfig } from '../../tools/truncation/truncation-limits.ts'
import { truncateToolOutput as truncate } from '../../tools/truncation/truncate.ts'

/** Maximum number of lines by tool name. Null means no limit. */
export const DEFAULT_LINE_LIMITS: Readonly<Record<string, number | null>> = { ...LINE_LIMITS, read_file: null, edit_file: null }

/** The part of a tool's output that the model gets: truncated by characters first, then by lines if the tool has a line limit. */
export function truncateToolOutput(output: string, toolName: string, config?: TruncationConfig): string {
  return truncate(output, toolName, config)
}
