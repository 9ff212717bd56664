import type { SessionSummary } from '../../../shared/api/sessions.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { failed, ok, type Result } from '../../../shared/lib/result.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import { isIdle } from '../../../shared/session/fold/run-state.ts'
import { folderToBringInto } from '../../../shared/session/settings/where.ts'
import { EnvironmentFailure } from '../../environment/environment-failure.ts'
import { makeBranch, type WorkBranch, workBranch } from '../../places/clone/work-branch.ts'
import { type FetchedWork, type LayerSessionParts, layerWork } from './layer-work.ts'
import { type MadeParts, recordAt } from './made-sessions.ts'

interface BranchParts extends MadeParts, LayerSessionParts {}

/** A branch that can be made now. */
export interface PlannedBranch extends WorkBranch {
  readonly title: string
  make(): Promise<Result<null, Trouble>>
}

/**
 * Plans a branch in the repository of a session's folder, with the newest work of the session in its layer or clone, and passes the plan to
 * `use`. The plan can be carried out until `use` resolves.
 */
export async function withBranch<T>(
  parts: BranchParts,
  { sessionId, name }: { readonly sessionId: SessionId; readonly name: string },
  use: (planned: PlannedBranch) => Promise<T>,
): Promise<Result<T, Trouble>> {
  const session = parts.store.sessions.get(sessionId)
  if (session === null || folderToBringInto(session.config, session.folder) === null) return failed(IN_THE_FOLDER)
  if (!isIdle(session)) return failed(STILL_WORKING)
  const title = session.title || 'Work of a session'
  return coded(name, async () => {
    const work = session.config.where?.kind === 'clone' ? await cloneWork(parts, session) : await layerWork(parts, session)
    if (!work.ok) return work
    const { kept, dispose } = work.value
    try {
      const now = parts.store.sessions.get(sessionId)
      if (now === null || !isIdle(now) || now.turnEnd !== session.turnEnd) return failed(STILL_WORKING)
      const planned = await workBranch(kept, { name, title })
      if (!planned.ok) return planned
      const make = (): Promise<Result<null, Trouble>> => coded(name, () => makeBranch(kept, planned.value))
      return ok(await use({ ...planned.value, title, make }))
    } finally {
      await dispose()
    }
  })
}

/** Makes the branch at once, because the user has pressed the button for it. */
export async function branchNow(parts: BranchParts, sessionId: SessionId, name: string): Promise<Result<WorkBranch, Trouble>> {
  const done = await withBranch(parts, { sessionId, name }, async (planned): Promise<Result<WorkBranch, Trouble>> => {
    const { commit, commits, top } = planned
    const made = await planned.make()
    return made.ok ? ok({ name, commit, commits, top }) : made
  })
  return done.ok ? done.value : done
}

async function cloneWork(parts: MadeParts, { folder }: SessionSummary): Promise<Result<FetchedWork, Trouble>> {
  const found = await recordAt(parts, folder)
  const kept = found && found.made.keptOf(found.record)
  if (found === null || kept === null) return failed(IN_THE_FOLDER)
  await found.made.fetch(found.record)
  return ok({ kept, dispose: () => Promise.resolve() })
}

async function coded<T>(name: string, work: () => Promise<Result<T, Trouble>>): Promise<Result<T, Trouble>> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof EnvironmentFailure)) throw error
    return failed(notMade(name, error.message))
  }
}

const IN_THE_FOLDER: Trouble = {
  code: 'not_beside',
  what: 'This session works in the folder itself, so it has no separate work to turn into a branch.',
  kept: 'Your repository and the session are unchanged.',
  todo: 'Commit its changes, or start a session beside the folder.',
}

const STILL_WORKING: Trouble = {
  code: 'still_working',
  what: 'The session is still working.',
  kept: 'Your repository is unchanged, and the session continues.',
  todo: 'Wait for its turn to end, or stop it, then make the branch.',
}

const notMade = (name: string, why: string): Trouble => ({
  code: 'branch_not_made',
  what: `The branch ${name} was not made. ${why}`,
  kept: 'Your branches, your files and the session are unchanged.',
  todo: 'Fix the cause, then try again.',
})
