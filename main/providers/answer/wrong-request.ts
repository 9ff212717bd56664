import type { ModelRequest, ProviderFailure, ToolDefinition } from '../../agent/ports/provider.ts'
import { failure } from '../failures/failures.ts'

/** The reason why this request cannot be sent at all; null if it can be sent. */
export function wrongRequest({ model, tools }: ModelRequest, label: string): ProviderFailure | null {
  if (model === '') return failure('configuration', `No model for ${label} is set.`)
  const tool = wrongTool(tools)
  return tool === null ? null : failure('configuration', tool)
}

/**
 * The reason why a key cannot be used; null if it can be used. A header allows only visible ASCII, and a pasted key may contain spaces or
 * line breaks.
 */
export function wrongKey(key: string | null, isNeeded: boolean, label: string): ProviderFailure | null {
  if (!key) return isNeeded ? failure('configuration', `No key for ${label} is set.`, { cause: 'no_key' }) : null
  if (/^[\x21-\x7e]+$/.test(key)) return null
  const words = `The key for ${label} contains a space, a line break or another character that is not valid in a key.`
  return failure('configuration', words, { cause: 'no_key' })
}

/** The names that every service accepts: a letter or `_`, followed by letters, digits, `_` and `-`. */
const NAME = /^[A-Za-z_][\w-]{0,63}$/

/** Lists of tools that passed the check. A list is recognized by its object, which stays the same while the tools are unchanged. */
const good = new WeakSet<readonly ToolDefinition[]>()

/** The reason, as a sentence, why services would reject every request with these tools; null if they accept the tools. */
function wrongTool(tools: readonly ToolDefinition[]): string | null {
  if (good.has(tools)) return null
  const seen = new Set<string>()
  for (const { name, parameters } of tools) {
    if (!NAME.test(name))
      return `The tool name “${name}” is not valid: services accept up to 64 letters, digits, _ and -, starting with a letter or _.`
    if (seen.has(name)) return `Two tools are named “${name}”.`
    if ((parameters['type'] ?? 'object') !== 'object') return `The arguments of the tool “${name}” are not an object.`
    seen.add(name)
  }
  good.add(tools)
  return null
}
