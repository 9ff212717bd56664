import type { PullRequestState } from '../../../shared/api/changes/publish.ts'
import type { AppHandlers } from '../../../shared/api/contract.ts'
import type { SessionSummary } from '../../../shared/api/sessions.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { failed, ok, type Result } from '../../../shared/lib/result.ts'
import { isFar } from '../../../shared/places/address.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import type { AskModel } from '../../hooks/prompt-hook.ts'
import { firstFailure } from '../../../shared/lib/lines/first-failure.ts'
import { draftText } from '../../review/publish/draft-text.ts'
import { failedLines, fromFirstFailure, openPullRequest, pullRequest } from '../../review/publish/forge.ts'
import { push, stageAll } from '../../review/publish/push.ts'
import type { UserPlace } from '../../review/publish/run-as-user.ts'
import type { Workspace } from '../../workspace/workspaces.ts'
import { inPlace, inPlaceAsUser, type SessionPlaces } from '../session-places.ts'
import { unlessStorageFails } from '../storage-failures.ts'

export interface PublishHandlerParts extends SessionPlaces {
  readonly ask: AskModel
  /** Null if there is no such session. */
  readonly sessionOf: (sessionId: SessionId) => SessionSummary | null
}

const done = (result: Result<null, Trouble>) => (result.ok ? ({ ok: true } as const) : ({ ok: false, trouble: result.failure } as const))

/** Commit messages, pushes and pull requests in a session's place. */
export function publishHandlers(parts: PublishHandlerParts): AppHandlers['publish'] {
  const asUser = <T>(sessionId: SessionId, work: (place: UserPlace) => Promise<Result<T, Trouble>>) =>
    unlessStorageFails(() => inPlaceAsUser(parts, sessionId, (workspace) => work(userPlace(workspace))), failed)
  return {
    stageAll: async ({ sessionId }) => done(await asUser(sessionId, ({ env }) => stageAll(env))),
    push: async ({ sessionId }) => done(await asUser(sessionId, push)),
    async draft({ sessionId, of }) {
      const write = async ({ environment }: Workspace): Promise<Result<string, Trouble>> => {
        const session = parts.sessionOf(sessionId)
        if (session === null) return failed(NO_SESSION)
        return draftText(environment, of, { ask: parts.ask, model: session.config, request: session.title })
      }
      const drafted = await unlessStorageFails(() => inPlace(parts, sessionId, write), failed)
      return drafted.ok ? { ok: true, text: drafted.value } : { ok: false, trouble: drafted.failure }
    },
    async pullRequest({ sessionId }) {
      const found = await asUser(sessionId, async (place) => ok(await pullRequest(place)))
      return found.ok ? found.value : ({ kind: 'failed', trouble: found.failure } satisfies PullRequestState)
    },
    open: async ({ sessionId, title, description }) => done(await asUser(sessionId, (place) => openPullRequest(place, title, description))),
    async failedLines({ sessionId, id }) {
      const read = await asUser(sessionId, (place) => failedLines(place, id))
      return read.ok ? { ok: true, lines: fromFirstFailure(read.value, firstFailure(read.value)) } : { ok: false, trouble: read.failure }
    },
  }
}

const userPlace = ({ environment, address, isLayer }: Workspace): UserPlace => ({
  env: environment,
  hasOwnVariables: !isLayer && !isFar(address),
})

const NO_SESSION: Trouble = {
  code: 'no_session',
  what: 'There is no such session.',
  kept: 'Everything is unchanged.',
  todo: 'Open another session.',
}
