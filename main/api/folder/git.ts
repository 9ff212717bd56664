import type { BlobText } from '../../../shared/api/changes/changes.ts'
import type { AppHandlers } from '../../../shared/api/contract.ts'
import type { GitStatus } from '../../../shared/api/changes/git.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { failed, type Result } from '../../../shared/lib/result.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import type { ExecutionEnvironment } from '../../agent/ports/execution-environment.ts'
import { commit, gitStatus, gitTexts, stage } from '../../review/git/git-review.ts'
import { inPlace, inPlaceAsUser, type SessionPlaces } from '../session-places.ts'
import { unlessStorageFails } from '../storage-failures.ts'

export interface GitHandlerParts extends SessionPlaces {
  readonly asText: (bytes: Uint8Array) => BlobText
}

/** Git in the place where a session works: the folder, or its layer. */
export function gitHandlers(parts: GitHandlerParts): AppHandlers['git'] {
  type Work<T> = (env: ExecutionEnvironment) => Promise<Result<T, Trouble>>
  const inPlaceOf = <T>(sessionId: SessionId, work: Work<T>) =>
    unlessStorageFails(() => inPlace(parts, sessionId, ({ environment }) => work(environment)), failed)
  const asUser = <T>(sessionId: SessionId, work: Work<T>) =>
    unlessStorageFails(() => inPlaceAsUser(parts, sessionId, ({ environment }) => work(environment)), failed)
  return {
    async status({ sessionId }) {
      const found = await inPlaceOf(sessionId, async (env) => ({ ok: true, value: await gitStatus(env) }))
      return found.ok ? found.value : ({ kind: 'failed', trouble: found.failure } satisfies GitStatus)
    },
    async texts({ sessionId, side, path }) {
      const found = await inPlaceOf(sessionId, (env) => gitTexts(env, side, path, parts.asText))
      return found.ok ? { ok: true, texts: found.value } : { ok: false, trouble: found.failure }
    },
    async stage({ sessionId, side, path, chosen }) {
      const staged = await asUser(sessionId, (env) => stage(env, side, path, chosen))
      return staged.ok ? { ok: true } : { ok: false, trouble: staged.failure }
    },
    async commit({ sessionId, message }) {
      const made = await asUser(sessionId, (env) => commit(env, message))
      return made.ok ? { ok: true, commit: made.value } : { ok: false, trouble: made.failure }
    },
  }
}
