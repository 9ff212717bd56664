import type { ModelRequest, ProviderFailure, ToolDefinition } from '../../agent/ports/provider.ts'
import { failure } from '../failures/failures.ts'

/** Why this request cannot be sent at all; null: it can. */
export function wrongRequest({ model, tools }: ModelRequest, label: string): ProviderFailure | null {
  if (model === '') return failure('configuration', `No model for ${label} is named.`)
  const tool = wrongTool(tools)
  return tool === null ? null : failure('configuration', tool)
}

/** A header can hold no more than visible ASCII; a line break or a blank in a key comes from pasting. Null: it can be used. */
export function wrongKey(key: string | null, isNeeded: boolean, label: string): ProviderFailure | null {
  if (!key) return isNeeded ? failure('configuration', `No key for ${label} is set.`, { cause: 'no_key' }) : null
  if (/^[\x21-\x7e]+$/.test(key)) return null
  const words = `The key for ${label} holds a blank, a line break or another character that no key has.`
  return failure('configuration', words, { cause: 'no_key' })
}

/** A letter or `_` first, then letters, digits, `_` and `-`: what every service takes (L-18). */
const NAME = /^[A-Za-z_][\w-]{0,63}$/

/** Lists that were found to be good; a list is the same object as long as it has the same tools. */
const good = new WeakSet<readonly ToolDefinition[]>()

/** Why services would refuse every request with these tools, as a sentence; null: they take them. */
function wrongTool(tools: readonly ToolDefinition[]): string | null {
  if (good.has(tools)) return null
  const seen = new Set<string>()
  for (const { name, parameters } of tools) {
    if (!NAME.test(name)) return `No service takes a tool named “${name}”: letters, digits, _ and - only, a letter or _ first, at most 64.`
    if (seen.has(name)) return `Two tools are named “${name}”.`
    if ((parameters['type'] ?? 'object') !== 'object') return `The arguments of the tool “${name}” are no object.`
    seen.add(name)
  }
  good.add(tools)
  return null
}
