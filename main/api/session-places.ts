import type { SessionId } from '../../shared/lib/ids.ts'
import type { Result } from '../../shared/lib/result.ts'
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
