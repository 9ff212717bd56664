import type { SessionId } from '../../shared/lib/ids.ts'
import { failed, type Result } from '../../shared/lib/result.ts'
import type { Trouble } from '../../shared/session/events.ts'
import type { Workspace } from '../workspace/workspaces.ts'

export interface SessionPlaces {
  /**
   * Opens the place where a session works: its folder, or a layer over it. The caller closes it. Fails if there is no such session or its
   * folder is not trusted.
   */
  readonly openPlace: (sessionId: SessionId) => Promise<Result<Workspace, Trouble>>
}

/** Works in the place of a session, and closes it afterwards. */
export async function inPlace<T>(
  { openPlace }: SessionPlaces,
  sessionId: SessionId,
  work: (workspace: Workspace) => Promise<Result<T, Trouble>>,
): Promise<Result<T, Trouble>> {
  const opened = await openPlace(sessionId)
  if (!opened.ok) return opened
  try {
    return await work(opened.value)
  } finally {
    await opened.value.close()
  }
}

/**
 * Like `inPlace`, for work in which git runs programs that the repository configures (hooks, filters, `core.sshCommand`). Fails in a layer
 * without confinement, because the agent may have written such programs there without a signature.
 */
export function inPlaceAsUser<T>(
  places: SessionPlaces,
  sessionId: SessionId,
  work: (workspace: Workspace) => Promise<Result<T, Trouble>>,
): Promise<Result<T, Trouble>> {
  return inPlace(places, sessionId, async (workspace) =>
    workspace.isLayer && workspace.inside === null ? failed(BRING_IN_FIRST) : work(workspace),
  )
}

const BRING_IN_FIRST: Trouble = {
  code: 'bring_in_first',
  what: 'Nothing was staged, committed or published: in a session beside the folder, git on this computer could run programs that the agent has written there.',
  kept: 'The folder, the session and its changes are unchanged.',
  todo: 'Bring the changes in first, and publish from a session in the folder.',
}
