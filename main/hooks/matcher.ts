import type { HookMoment } from '../agent/ports/hooks.ts'
import type { Hook } from '../../shared/session/hooks.ts'
import { foreignNames } from './foreign-call.ts'

const PLAIN_NAMES = /^[\w\-,| ]+$/u

/** Whether a hook is for this moment. A matcher that is not a regular expression matches nothing. */
export function isFor({ event, matcher }: Hook, moment: HookMoment): boolean {
  if (event !== moment.event) return false
  if (matcher === '' || matcher === '*') return true
  const subjects = subjectsOf(moment)
  if (subjects === null) return true
  if (PLAIN_NAMES.test(matcher)) {
    const names = new Set(matcher.split(/[|,]/u).map((name) => name.trim()))
    return subjects.some((subject) => names.has(subject))
  }
  try {
    const pattern = new RegExp(matcher, 'u')
    return subjects.some((subject) => pattern.test(subject))
  } catch {
    return false
  }
}

/** What a matcher is compared with. Null: this moment has nothing to match. */
function subjectsOf(moment: HookMoment): readonly string[] | null {
  switch (moment.event) {
    case 'PreToolUse':
    case 'PostToolUse':
    case 'PermissionRequest':
      return foreignNames(moment.toolName)
    case 'SessionStart':
      return [moment.source]
    case 'Notification':
      return [moment.type]
    case 'PreCompact':
      return ['auto']
    case 'SessionEnd':
      return ['other']
    case 'UserPromptSubmit':
    case 'Stop':
    case 'SubagentStop':
      return null
  }
}
