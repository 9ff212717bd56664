import { failed, type Result } from '../../shared/lib/result.ts'
import type { SessionConfigured, Trouble } from '../../shared/session/events.ts'
import type { NewSession } from '../../shared/session/settings/new-session.ts'
import { oneLook } from '../agent/one-look.ts'
import { retryWhileLocked } from '../agent/record/retry-while-locked.ts'
import type { OpenedSession } from './opened-session.ts'
import type { Sessions } from './sessions.ts'

export interface StarterParts {
  readonly sessions: Sessions
  /** The real path of an existing, readable folder. */
  find(folder: string): Promise<Result<string, Trouble>>
  /** Whether the folder, given by its real path, is trusted with its current configuration. */
  mayOpen(folder: string): Promise<boolean>
  /** Records that a session was opened in the folder. */
  opened(folder: string): void
  /** The configuration for a new session. `asked` overrides the defaults. */
  defaults(asked: Partial<SessionConfigured>): SessionConfigured
  /** The settings of a new session that depend on the place of its folder. */
  placeOf(folder: string): Promise<Pick<NewSession, 'where' | 'sessionId'>>
  /** Makes a temporary copy of the sample project, which is trusted because we wrote it. Resolves to its real path. */
  makeSample(): Promise<string>
}

export interface SessionStarter {
  /** Starts a session in a folder, given as the user typed it. Nothing in the folder is read before it is trusted. */
  start(folder: string, asked: Partial<SessionConfigured>): Promise<Result<OpenedSession, Trouble>>
  /** Starts a session with the scripted model in a copy of the sample project. */
  rehearse(): Promise<Result<OpenedSession, Trouble>>
}

export function createStarter({ sessions, find, mayOpen, opened, defaults, placeOf, makeSample }: StarterParts): SessionStarter {
  const start: SessionStarter['start'] = async (typed, asked) => {
    const found = await find(typed)
    if (!found.ok) return found
    const folder = found.value
    if (!(await mayOpen(folder))) return failed(notTrusted(folder))
    const created = await sessions.create({ cwd: folder, ...defaults(asked), ...(await placeOf(folder)) })
    if (created.ok) await retryWhileLocked(() => opened(folder))
    return created
  }
  return {
    start: (typed, asked) => oneLook(() => start(typed, asked)),
    async rehearse() {
      const cwd = await makeSample()
      return sessions.create({ cwd, ...defaults({ provider: 'rehearsal', model: 'rehearsal', mode: 'ask' }) })
    },
  }
}

function notTrusted(folder: string): Trouble {
  return {
    code: 'not_trusted',
    what: `${folder} is not trusted yet.`,
    kept: 'Nothing in the folder was read.',
    todo: 'Open the folder and decide whether you trust it.',
  }
}
