import type { Hook } from '../../shared/session/hooks.ts'
import type { HookMoment } from '../agent/ports/hooks.ts'
import { type ConditionPlace, fitsCondition } from './hook-condition.ts'
import { foreignForms, type ForeignCall, wholeForm } from './foreign-call.ts'

const PLAIN_NAMES = /^[\w\-,| ]+$/u

/**
 * How often a hook runs at this moment, and for which call each time; null: not for a call. Empty: it is for another moment. A call that
 * touches several files is one call for each of them.
 */
export function runsOf(
  hook: Hook,
  moment: HookMoment,
  place: ConditionPlace & { readonly agentType?: string | undefined },
): readonly (ForeignCall | null)[] {
  if (hook.event !== moment.event) return []
  if (!('toolName' in moment)) return fits(hook.matcher, subjectsOf(moment, place.agentType)) ? [null] : []
  const isFor = (call: ForeignCall): boolean =>
    fits(hook.matcher, [call.toolName, ...call.otherNames]) && (hook.condition === undefined || fitsCondition(hook.condition, call, place))
  const parts = foreignForms(moment, place.cwd, hook.dialect).flatMap((forms) => forms.find(isFor) ?? [])
  return parts.length > 0 ? parts : [wholeForm(moment, place.cwd)].filter(isFor)
}

/** Whether a matcher can be read. One that cannot matches nothing. */
export function isReadable(matcher: string): boolean {
  return matcher === '*' || PLAIN_NAMES.test(matcher) || patternOf(matcher) !== null
}

/** `subjects` null: there is nothing to compare. */
function fits(matcher: string, subjects: readonly string[] | null): boolean {
  if (matcher === '' || matcher === '*' || subjects === null) return true
  if (PLAIN_NAMES.test(matcher)) {
    const names = new Set(matcher.split(/[|,]/u).map((name) => name.trim()))
    return subjects.some((subject) => names.has(subject))
  }
  const pattern = patternOf(matcher)
  return pattern !== null && subjects.some((subject) => pattern.test(subject))
}

/** Without the flag `u`, which forbids escapes that Claude Code accepts, such as `\-`. */
function patternOf(matcher: string): RegExp | null {
  try {
    return new RegExp(matcher)
  } catch {
    return null
  }
}

/** What a matcher is compared with. Null: this moment has nothing to match. */
function subjectsOf(moment: Exclude<HookMoment, { toolName: string }>, agentType: string | undefined): readonly string[] | null {
  switch (moment.event) {
    case 'SessionStart':
      return [moment.source]
    case 'Notification':
      return [moment.type]
    case 'PreCompact':
      return [moment.trigger]
    case 'SessionEnd':
      return [moment.reason]
    case 'UserPromptSubmit':
    case 'Stop':
      return null
    case 'SubagentStop':
      return agentType === undefined ? null : [agentType]
  }
}
