import { posix } from 'node:path'
import type { Effect } from '../../shared/session/effects.ts'
import { createSlices } from '../agent/event-loop-slices.ts'
import { judgeCommand } from '../approval/command-line/judge-command.ts'
import { deniedFilesPrinted, mayPrintFiles } from '../approval/command-line/printed-by-git.ts'
import { deniesPath, type RulePlace, type RuleWhen } from './rule-matches.ts'

/** Maximum number of files that an effect names. One is enough to ask. */
const MAX_NAMED = 3

/** Returns the files that git tracks in the folder, as paths relative to it. Empty if there is no repository. */
export type TrackedFiles = () => Promise<readonly string[]>

/**
 * Adds to each command the denied files that it may print from git's history without naming them. Git is asked only if a rule denies files
 * and a command of git may print them.
 */
export async function withDeniedInGit(
  effects: readonly Effect[],
  denies: readonly RuleWhen[],
  place: RulePlace,
  tracked: TrackedFiles,
): Promise<readonly Effect[]> {
  if (!denies.some(({ when }) => when.kind === 'path')) return effects
  const looked: Effect[] = []
  for (const effect of effects) {
    const files = effect.kind === 'command' ? await filesPrintedBy(effect, denies, place, tracked) : []
    const [first] = files
    if (effect.kind !== 'command' || first === undefined) looked.push(effect)
    else {
      const shown = posix.relative(place.root, first)
      // A copy hides denied files, but not git's history.
      const noCopy = `It may print ${shown} from git’s history, which a rule denies, so it needs your signature first.`
      looked.push({ noCopy, ...effect, deniedInGit: files.slice(0, MAX_NAMED) })
    }
  }
  return looked
}

async function filesPrintedBy(
  { command, cwd }: Extract<Effect, { kind: 'command' }>,
  denies: readonly RuleWhen[],
  place: RulePlace,
  tracked: TrackedFiles,
): Promise<readonly string[]> {
  const runs = judgeCommand(command, { ...place, cwd })?.line.runs ?? []
  if (!runs.some(mayPrintFiles)) return []
  const slice = createSlices()
  const known = new Set<string>()
  const denied: string[] = []
  for (const file of await tracked()) {
    const path = posix.join(place.root, file)
    for (let at = path; at.length > place.root.length && !known.has(at); at = posix.dirname(at)) known.add(at)
    if (deniesPath(denies, path, place)) denied.push(path)
    await slice()
  }
  return [...new Set(runs.flatMap((run) => deniedFilesPrinted(run, known, denied)))]
}
