import type { BackTest, RuleDraft } from '../../../shared/api/rules.ts'
import type { CommandEffect } from '../../../shared/session/effects.ts'
import { ruleFor, type RulePlace } from './rule-matches.ts'

/** A command of the history. */
export interface PastCommand {
  readonly effect: CommandEffect
  /** Real path of the session's folder. */
  readonly folder: string
  readonly refused: boolean
}

/** What a rule would have changed among these commands, newest first. */
export function backTest(draft: RuleDraft, past: readonly PastCommand[], place: Omit<RulePlace, 'root'>): BackTest {
  const { where, when } = draft
  // A rule for a way would have chosen it.
  const inItsWay = ({ sandbox, ...effect }: CommandEffect): CommandEffect => {
    if (when.kind !== 'command' || when.way === undefined) return { ...effect, ...(sandbox && { sandbox }) }
    return when.way === 'confined' ? { ...effect, sandbox: 'confined' } : effect
  }
  const fits = past.filter(
    ({ effect, folder }) =>
      (where.kind !== 'project' || where.folder === folder) &&
      ruleFor(inItsWay(effect), [draft], draft.answer, { ...place, root: folder }) !== null,
  )
  const counted = new Map<string, { command: string; times: number; refused: number }>()
  for (const { effect, refused } of fits) {
    const before = counted.get(effect.command) ?? { command: effect.command, times: 0, refused: 0 }
    counted.set(effect.command, { ...before, times: before.times + 1, refused: before.refused + (refused ? 1 : 0) })
  }
  return { commands: past.length, fits: [...counted.values()] }
}
