import type { BackTest, RuleDraft } from '../../../shared/api/rules.ts'
import type { CommandEffect, Effect } from '../../../shared/session/effects.ts'
import { ruleFor, type RulePlace } from './rule-matches.ts'

/** A command of the history. */
export interface PastCommand {
  readonly effect: CommandEffect
  /** Real path of the session's folder. */
  readonly folder: string
  readonly refused: boolean
  /** What it changed in its copy. */
  readonly changes: readonly Effect[]
}

/** What rules with the same answer, place and way would have changed among these commands, newest first. */
export function backTest(drafts: readonly RuleDraft[], past: readonly PastCommand[], place: Omit<RulePlace, 'root'>): BackTest {
  const [draft] = drafts
  if (!draft) return { commands: past.length, fits: [] }
  const { answer, where, when } = draft
  // A rule would have chosen this way of running.
  const inItsWay = ({ sandbox, ...effect }: CommandEffect): CommandEffect => {
    if (when.kind !== 'command' || when.way === undefined) return { ...effect, ...(sandbox && { sandbox }) }
    return when.way === 'confined' ? { ...effect, sandbox: 'confined' } : effect
  }
  const fits = past.filter(({ effect, folder, changes }) => {
    if (where.kind === 'project' && where.folder !== folder) return false
    const isFit = (each: Effect): boolean => ruleFor(each, drafts, answer, { ...place, root: folder }) !== null
    const byChanges = answer === 'allow' ? changes.length > 0 && changes.every(isFit) : changes.some(isFit)
    return isFit(inItsWay(effect)) || byChanges
  })
  const counted = new Map<string, { command: string; times: number; refused: number }>()
  for (const { effect, refused } of fits) {
    const before = counted.get(effect.command) ?? { command: effect.command, times: 0, refused: 0 }
    counted.set(effect.command, { ...before, times: before.times + 1, refused: before.refused + (refused ? 1 : 0) })
  }
  return { commands: past.length, fits: [...counted.values()] }
}
