import type { ModelContent } from '../../../shared/session/content.ts'
import type { TruncationConfig } from './limits.ts'
import { truncateToolOutput } from './truncate.ts'

/** The same for content in parts: every text is cut by itself, images and documents pass whole. */
export function truncateContent(content: ModelContent, toolName: string, config: TruncationConfig = {}): ModelContent {
  if (typeof content === 'string') return truncateToolOutput(content, toolName, config)
  return content.map((part) => (part.kind === 'text' ? { ...part, text: truncateToolOutput(part.text, toolName, config) } : part))
}
