import type { BlobText } from '../../shared/api/changes/changes.ts'
import type { AppHandlers } from '../../shared/api/contract.ts'
import type { GitStatus } from '../../shared/api/changes/git.ts'
import type { SessionId } from '../../shared/lib/ids.ts'
import { failed, type Result } from '../../shared/lib/result.ts'
import type { Trouble } from '../../shared/session/events.ts'
import type { ExecutionEnvironment } from '../agent/ports/execution-environment.ts'
import { commit, gitStatus, gitTexts, stage } from '../review/git/git-review.ts'
import type { Workspaces } from '../workspace/workspaces.ts'
import { unlessStorageFails } from './storage-failures.ts'

export interface GitHandlerParts {
  readonly workspaces: Pick<Workspaces, 'open'>
  /** Returns the real path of a session's folder. Null if there is no such session. */
  readonly folderOf: (sessionId: SessionId) => string | null
  readonly isTrusted: (folder: string) => boolean
  readonly asText: (bytes: Uint8Array) => BlobText
}

export function gitHandlers(parts: GitHandlerParts): AppHandlers['git'] {
  const inFolder = <T>(sessionId: SessionId, work: (env: ExecutionEnvironment) => Promise<Result<T, Trouble>>) =>
    unlessStorageFails(() => inFolderOf(parts, sessionId, work), failed)
  return {
    async status({ sessionId }) {
      const found = await inFolder(sessionId, async (env) => ({ ok: true, value: await gitStatus(env) }))
      return found.ok ? found.value : ({ kind: 'failed', trouble: found.failure } satisfies GitStatus)
    },
    async texts({ sessionId, side, path }) {
      const found = await inFolder(sessionId, (env) => gitTexts(env, side, path, parts.asText))
      return found.ok ? { ok: true, texts: found.value } : { ok: false, trouble: found.failure }
    },
    async stage({ sessionId, side, path, chosen }) {
      const staged = await inFolder(sessionId, (env) => stage(env, side, path, chosen))
      return staged.ok ? { ok: true } : { ok: false, trouble: staged.failure }
    },
    async commit({ sessionId, message }) {
      const made = await inFolder(sessionId, (env) => commit(env, message))
      return made.ok ? { ok: true, commit: made.value } : { ok: false, trouble: made.failure }
    },
  }
}

async function inFolderOf<T>(
  { workspaces, folderOf, isTrusted }: GitHandlerParts,
  sessionId: SessionId,
  work: (env: ExecutionEnvironment) => Promise<Result<T, Trouble>>,
): Promise<Result<T, Trouble>> {
  const folder = folderOf(sessionId)
  if (folder === null || !isTrusted(folder)) return failed(NOT_TRUSTED)
  const opened = await workspaces.open(folder)
  if (!opened.ok) return opened
  try {
    return await work(opened.value.environment)
  } finally {
    await opened.value.close()
  }
}

const NOT_TRUSTED: Trouble = {
  code: 'not_trusted',
  what: 'The folder of this session is not trusted, so git was not run in it.',
  kept: 'The folder is unchanged.',
  todo: 'Trust the folder, then open the review again.',
}
