import { eventLoopTurn } from '../agent/event-loop-slices.ts'
import type { BackTest, RuleDraft } from '../../shared/api/rules.ts'
import { type CommandEffect, type Effect, wantedHost } from '../../shared/session/effects.ts'
import { ruleFor, type RulePlace } from './rule-matches.ts'
import type { Store } from '../store/store.ts'

/** A command in the history. */
export interface PastCommand {
  readonly effect: CommandEffect
  /** Real path of the session's folder. */
  readonly folder: string
  readonly refused: boolean
  /** The changes that the command made in its copy. */
  readonly changes: readonly Effect[]
}

/**
 * Returns which of the past commands (newest first) the draft rules would affect. All drafts must have the same answer, place and way of
 * running.
 */
export function backTest(drafts: readonly RuleDraft[], past: readonly PastCommand[], place: Omit<RulePlace, 'root'>): BackTest {
  const [draft] = drafts
  if (!draft) return { commands: past.length, fits: [] }
  const { answer, where, when } = draft
  // Returns the command's effect as it would be if the command had run in the way that the rule chooses.
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

/** Maximum number of sessions that are searched, newest first. */
const MAX_SESSIONS = 50

/**
 * The newest commands of all sessions, newest first: commands that ran in a copy or for real, and commands for which a signature was
 * requested. Lets other work run between batches of events.
 */
export async function pastCommands(store: Store, most: number): Promise<readonly PastCommand[]> {
  const found: PastCommand[] = []
  for (const { sessionId, folder } of (await store.sessions.listInSlices()).slice(0, MAX_SESSIONS)) {
    if (found.length >= most) break
    const commands = new Map<string, PastCommand>()
    const hosts = new Set<string>()
    for (const batch of store.eventsAfter(sessionId, 0)) {
      for (const { event } of batch) {
        // If a command asks for access to a host, refusing the access does not refuse the command.
        if (event.kind === 'APPROVAL_REQUESTED' && wantedHost(event.effects)) hosts.add(event.approvalId)
        else if (event.kind === 'APPROVAL_REQUESTED' || event.kind === 'TOOL_EXECUTION_START' || event.kind === 'COPY_ENDED') {
          const effect = event.effects.find((each) => each.kind === 'command')
          const changes = event.effects.filter((each) => 'path' in each)
          if (effect) commands.set(event.toolCallId, { effect, folder, refused: false, changes })
        } else if (event.kind === 'APPROVAL_ANSWERED' && event.answer.kind === 'refused' && !hosts.has(event.approvalId)) {
          const asked = commands.get(event.toolCallId)
          if (asked) commands.set(event.toolCallId, { ...asked, refused: true })
        }
      }
      await eventLoopTurn()
    }
    found.push(...[...commands.values()].toReversed())
  }
  return found.slice(0, most)
}
