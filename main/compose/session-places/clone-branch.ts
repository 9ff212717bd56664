import type { SessionId } from '../../../shared/lib/ids.ts'
import { failed, ok, type Result } from '../../../shared/lib/result.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import { isIdle } from '../../../shared/session/fold/run-state.ts'
import { EnvironmentFailure } from '../../environment/environment-failure.ts'
import { makeBranch, type WorkBranch, workBranch } from '../../places/clone/work-branch.ts'
import type { Store } from '../../store/store.ts'
import { type MadeParts, recordAt } from './made-sessions.ts'

type BranchParts = Pick<MadeParts, 'places'> & { readonly store: Pick<Store, 'sessions'> }

/** A branch that can be made now. */
export interface PlannedBranch extends WorkBranch {
  readonly title: string
  make(): Promise<Result<null, Trouble>>
}

/** Fetches the newest work of a session in a clone, and plans a branch with it in the repository of its folder. */
export async function planBranch(parts: BranchParts, sessionId: SessionId, name: string): Promise<Result<PlannedBranch, Trouble>> {
  const session = parts.store.sessions.get(sessionId)
  const found = session?.config.where?.kind === 'clone' ? await recordAt(parts, session.folder) : null
  const kept = found && found.made.keptOf(found.record)
  if (!session || found === null || kept === null) return failed(NO_CLONE)
  if (!isIdle(session)) return failed(STILL_WORKING)
  const title = session.title || 'Work of a session'
  return coded(name, async () => {
    await found.made.fetch(found.record)
    const planned = await workBranch(kept, { name, title })
    return planned.ok ? ok({ ...planned.value, title, make: () => coded(name, () => makeBranch(kept, planned.value)) }) : planned
  })
}

/** Makes the branch at once, because the user has pressed the button for it. */
export async function branchNow(parts: BranchParts, sessionId: SessionId, name: string): Promise<Result<WorkBranch, Trouble>> {
  const planned = await planBranch(parts, sessionId, name)
  if (!planned.ok) return planned
  const { make, title: _, ...branch } = planned.value
  const made = await make()
  return made.ok ? ok(branch) : made
}

async function coded<T>(name: string, work: () => Promise<Result<T, Trouble>>): Promise<Result<T, Trouble>> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof EnvironmentFailure)) throw error
    return failed(notMade(name, error.message))
  }
}

const NO_CLONE: Trouble = {
  code: 'no_clone',
  what: 'This session does not work in a clone on another machine, so no branch can be made from it.',
  kept: 'Your repository and the session are unchanged.',
  todo: 'Bring its changes in without --branch, then commit them.',
}

const STILL_WORKING: Trouble = {
  code: 'still_working',
  what: 'The session is still working in its clone.',
  kept: 'Your repository is unchanged, and the session goes on.',
  todo: 'Wait until its turn has ended, or stop it, and make the branch then.',
}

const notMade = (name: string, why: string): Trouble => ({
  code: 'branch_not_made',
  what: `The branch ${name} was not made. ${why}`,
  kept: 'Your branches, your files and the session are unchanged.',
  todo: 'Fix the cause, then try again.',
})
