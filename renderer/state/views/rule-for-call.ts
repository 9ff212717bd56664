import type { RuleDraft } from '../../../shared/api/rules.ts'
import type { CallItem } from '../../../shared/session/state.ts'

/** Maximum number of characters of a pattern. */
const MAX_PATTERN = 2000

/**
 * The rule that a step suggests, for the user to change before it is saved: about its command, its only file, its host or its MCP tool. It
 * answers as the user did. Null if the step is about something else.
 */
export function ruleForCall(call: CallItem, folder: string): RuleDraft | null {
  const when = whenOf(call)
  if (when === null || when.pattern.length > MAX_PATTERN) return null
  return {
    answer: call.approval?.answer?.kind === 'refused' ? 'deny' : 'allow',
    when,
    where: { kind: 'project', folder },
  }
}

function whenOf({ toolName, effects, files }: CallItem): RuleDraft['when'] | null {
  if (toolName.startsWith('mcp__')) return { kind: 'tool', pattern: toolName }
  for (const effect of effects) {
    if (effect.kind === 'command') return { kind: 'command', pattern: effect.command.trim() }
    if (effect.kind === 'network') return { kind: 'host', pattern: effect.host }
  }
  const [file, ...more] = files
  return file && more.length === 0 && !file.shown.startsWith('/') ? { kind: 'path', pattern: `/${file.shown}` } : null
}
