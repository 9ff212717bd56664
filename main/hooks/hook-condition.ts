import type { Effect } from '../../shared/session/effects.ts'
import { textOf } from '../../shared/tools/spec/call-line.ts'
import { fitsGlob } from '../fits-glob.ts'
import { judgeCommand } from '../approval/command-line/judge-command.ts'
import { ruleFor, type RulePlace, type RuleWhen } from '../rules/rule-matches.ts'
import { fitsIgnoreLine } from '../environment/search/ignore/ignore-rule.ts'
import type { ForeignCall } from './foreign-call.ts'

export interface ConditionPlace extends Pick<RulePlace, 'root' | 'home'> {
  /** The folder against which relative paths in a call are resolved. */
  readonly cwd: string
}

/** The tools to which a rule for `Edit` applies, as in Claude Code. */
const EDITING: ReadonlySet<string> = new Set(['Edit', 'Write', 'MultiEdit', 'NotebookEdit'])

const FORM = /^([\w*.-]+)(?:\((.*)\))?$/su

/** Whether the condition of a hook is a permission rule. A hook with any other condition runs for every call. */
export function isCondition(text: string): boolean {
  return FORM.test(text.trim())
}

/**
 * Whether a call fits the condition of a hook, a permission rule of Claude Code. True if this cannot be determined, so that a hook that
 * guards something is never skipped.
 */
export function fitsCondition(condition: string, call: ForeignCall, place: ConditionPlace): boolean {
  const [whole, tool = '', inner = ''] = FORM.exec(condition.trim()) ?? []
  if (whole === undefined) return true
  const names = [call.toolName, ...call.otherNames]
  const isNamed = names.some((name) => fitsGlob(tool, name) || name.startsWith(`${tool}__`))
  if (!isNamed && !(tool === 'Edit' && names.some((name) => EDITING.has(name)))) return false
  return inner === '' || inner === '*' || inner === '**' || fitsInner(inner, call, place)
}

function fitsInner(inner: string, { input }: ForeignCall, place: ConditionPlace): boolean {
  const text = (name: string): string => textOf(input[name])
  const command = text('command')
  if (command !== '') return fitsCommand(inner, command, place)
  const path = text('file_path') || text('notebook_path') || text('path')
  if (path !== '') return fits({ kind: 'path', pattern: inner.replace(/^\.\//u, '') }, { ...IN_FOLDER, kind: 'read', path }, place)
  const url = text('url')
  const domain = /^domain:(.+)$/u.exec(inner)?.[1]
  if (domain !== undefined && URL.canParse(url))
    return fits({ kind: 'host', pattern: domain }, { kind: 'network', url, host: new URL(url).hostname }, place)
  const [, field = '', wanted = ''] = /^(\w+):(.*)$/su.exec(inner) ?? []
  if (field !== '') return fitsGlob(wanted, textOf(input[field]))
  const agentType = text('subagent_type')
  return agentType === '' || fitsGlob(inner, agentType)
}

function fitsCommand(pattern: string, command: string, place: ConditionPlace): boolean {
  if (judgeCommand(command, place) === null) return true
  const effect = { kind: 'command', command, cwd: place.cwd, outside: false, env: {}, timeoutMs: 0, destructive: false } as const
  return fits({ kind: 'command', pattern }, effect, place)
}

const IN_FOLDER = { shown: '', outside: false, control: false }

function fits(when: RuleWhen['when'], effect: Effect, place: ConditionPlace): boolean {
  return ruleFor(effect, [{ answer: 'ask', when }], 'ask', { ...place, fitsPath: fitsIgnoreLine }) !== null
}
