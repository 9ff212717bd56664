import { DEFAULT_LINE_LIMITS as LINE_LIMITS, type TruncationConfig } from '../../tools/truncation/limits.ts'
import { truncateToolOutput as truncate } from '../../tools/truncation/truncate.ts'

/** Lines, by the tool's name; null: none. */
export const DEFAULT_LINE_LIMITS: Readonly<Record<string, number | null>> = { ...LINE_LIMITS, read_file: null, edit_file: null }

/** What a model gets of a tool's output: characters first, then lines where the tool has a line limit. */
export function truncateToolOutput(output: string, toolName: string, config?: TruncationConfig): string {
  return truncate(output, toolName, config)
}
