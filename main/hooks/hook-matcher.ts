import { type Context, createContext, runInContext } from 'node:vm'
import type { Hook } from '../../shared/session/hooks.ts'
import type { HookMoment } from '../agent/ports/hooks.ts'
import { type ConditionPlace, fitsCondition } from './hook-condition.ts'
import { foreignForms, type ForeignCall, wholeForm } from './foreign-call.ts'

const PLAIN_NAMES = /^[\w\-,| ]+$/u

/**
 * Lists the runs of the hook for this event. Each entry is the call for which it runs, or null if the event is not about a call. Empty if
 * the hook does not run. A call that affects several files counts as one call per file.
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

/** Whether a matcher can be parsed. A matcher that cannot be parsed matches nothing. */
export function isReadableMatcher(matcher: string): boolean {
  return matcher === '*' || PLAIN_NAMES.test(matcher) || patternOf(matcher) !== null
}

/** `subjects` is null if the event has nothing to compare. */
function fits(matcher: string, subjects: readonly string[] | null): boolean {
  if (matcher === '' || matcher === '*' || subjects === null) return true
  if (PLAIN_NAMES.test(matcher)) {
    const names = new Set(matcher.split(/[|,]/u).map((name) => name.trim()))
    return subjects.some((subject) => names.has(subject))
  }
  return patternOf(matcher) !== null && fitsPattern(matcher, subjects)
}

/** Time limit for one matcher, in ms. */
const PATTERN_MS = 40

/** Reused, because creating a context takes a millisecond. */
let context: Context | null = null

/** The model may choose the subjects, so V8 stops an expression that takes too long. It then fits: a hook that guards is never skipped. */
function fitsPattern(matcher: string, subjects: readonly string[]): boolean {
  context ??= createContext({})
  try {
    const source = `${JSON.stringify(subjects)}.some((subject) => new RegExp(${JSON.stringify(matcher)}).test(subject))`
    return runInContext(source, context, { timeout: PATTERN_MS }) === true
  } catch {
    return true
  }
}

/** The flag `u` is not set, because it forbids escapes that Claude Code accepts, such as `\-`. */
function patternOf(matcher: string): RegExp | null {
  try {
    return new RegExp(matcher)
  } catch {
    return null
  }
}

/** The texts with which a matcher is compared; null if this event has none. */
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
