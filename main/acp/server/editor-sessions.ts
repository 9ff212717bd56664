import { type AgentContext, type McpServer, RequestError, type SessionInfo } from '@agentclientprotocol/sdk'
import { SessionId } from '../../../shared/lib/ids.ts'
import type { Result } from '../../../shared/lib/result.ts'
import { tryAllAtOnce } from '../../../shared/lib/try-all.ts'
import type { SessionConfigured, Trouble } from '../../../shared/session/events.ts'
import type { App } from '../../compose/app.ts'
import { realFolder } from '../../environment/real-folders.ts'
import type { OpenedSession } from '../../sessions/opened-session.ts'
import { requestError, valueOf } from './acp-failure.ts'
import { type AcpSession, createAcpSession } from './acp-session.ts'
import { createEditorServers, type EditorServers, startEditorServers } from './editor-servers.ts'
import type { ClientAbilities } from './session-updates.ts'

export interface EditorSessionsParts {
  /** Opens an app that trusts this folder (a real path). Called once per folder. */
  openApp(folder: string, servers: EditorServers): Promise<Result<App, Trouble>>
  /** Called when the app of a folder is open. */
  opened(app: App, folder: string): void
  /** The configuration of a new session. */
  configFor(app: App): SessionConfigured
  /** The folder whose app lists and deletes sessions of any folder. A real path. */
  readonly here: string
}

/** The folder and the MCP servers of a session that an editor opens. */
interface WantedSession {
  readonly cwd: string
  readonly mcpServers?: readonly McpServer[] | undefined
}

/** The editor to which updates and requests go. */
interface EditorSide {
  readonly client: AgentContext
  readonly abilities: ClientAbilities
}

/** The sessions that one editor has open. Every method rejects with a `RequestError`. */
export interface EditorSessions {
  create(wanted: WantedSession, editor: EditorSide): Promise<AcpSession>
  open(sessionId: string, wanted: WantedSession, editor: EditorSide): Promise<AcpSession>
  /** An open session. */
  of(sessionId: string): AcpSession
  /** All stored sessions of users, newest first; with a folder, only those in it. */
  list(folder: string | null): Promise<SessionInfo[]>
  close(sessionId: string): Promise<void>
  delete(sessionId: string): Promise<void>
  /** Closes all apps when the editor has disconnected. Open requests stay open. */
  leave(): Promise<void>
}

export function createEditorSessions(parts: EditorSessionsParts): EditorSessions {
  const apps = new Map<string, Promise<Result<App, Trouble>>>()
  const editorServers = new Map<string, EditorServers>()
  const sessions = new Map<string, AcpSession>()
  const gone = new AbortController()

  const serversOf = (folder: string): EditorServers => {
    const known = editorServers.get(folder) ?? createEditorServers()
    editorServers.set(folder, known)
    return known
  }
  const appOf = async (folder: string): Promise<App> => {
    const known = apps.get(folder)
    if (known) return valueOf(await known)
    const opening = parts.openApp(folder, serversOf(folder))
    apps.set(folder, opening)
    const opened = await opening
    if (opened.ok) parts.opened(opened.value, folder)
    else apps.delete(folder)
    return valueOf(opened)
  }
  const begin = (app: App, opened: OpenedSession, editor: EditorSide): AcpSession => {
    const { cwd } = opened.record.state()
    const serversReady = startEditorServers(app, cwd, serversOf(cwd))
    const session = createAcpSession({ app, opened, ...editor, gone: gone.signal, serversReady })
    sessions.set(session.sessionId, session)
    return session
  }
  const placeOf = async ({ cwd, mcpServers = [] }: WantedSession): Promise<{ readonly app: App; readonly folder: string }> => {
    const folder = await realFolder(cwd)
    serversOf(folder).add(mcpServers)
    return { app: await appOf(folder), folder }
  }
  const close = async (sessionId: string): Promise<void> => {
    await sessions.get(sessionId)?.close()
    sessions.delete(sessionId)
  }
  return {
    async create(wanted, editor) {
      const { app, folder } = await placeOf(wanted)
      return begin(app, valueOf(await app.starter.start(folder, parts.configFor(app))), editor)
    },
    async open(sessionId, wanted, editor) {
      const known = sessions.get(sessionId)
      if (known) return known
      const { app, folder } = await placeOf(wanted)
      const summary = app.store.sessions.get(SessionId.parse(sessionId))
      if (!summary) throw RequestError.sessionNotFound(sessionId)
      if (summary.folder !== folder) throw requestError(otherFolder(sessionId, summary.folder))
      const opened = valueOf(await app.sessions.open(summary.sessionId))
      // Another request may have opened it meanwhile.
      return sessions.get(sessionId) ?? begin(app, opened, editor)
    },
    of(sessionId) {
      const session = sessions.get(sessionId)
      if (!session) throw RequestError.sessionNotFound(sessionId)
      return session
    },
    async list(cwd) {
      const folder = cwd === null ? null : await realFolder(cwd)
      const app = await appOf(folder ?? parts.here)
      const all = app.store.sessions.list().filter((one) => one.parent === null && (folder === null || one.folder === folder))
      return all.map((one) => ({
        sessionId: one.sessionId,
        cwd: one.folder,
        title: one.title,
        updatedAt: new Date(one.updatedAt).toISOString(),
      }))
    },
    async close(sessionId) {
      if (!sessions.has(sessionId)) throw RequestError.sessionNotFound(sessionId)
      await close(sessionId)
    },
    async delete(sessionId) {
      const id = SessionId.parse(sessionId)
      const app = await appOf(parts.here)
      if (!app.store.sessions.get(id)) throw RequestError.sessionNotFound(sessionId)
      await close(sessionId)
      const outcome = await app.cleaner.delete([id], valueOf(await app.cleaner.weigh([id])))
      if (outcome.kind === 'refused') throw requestError(outcome.trouble)
      if (outcome.kind === 'changed') throw requestError(CHANGED)
    },
    async leave() {
      gone.abort()
      for (const session of sessions.values()) session.leave()
      const all = await Promise.all(apps.values())
      await tryAllAtOnce(all.flatMap((app) => (app.ok ? [app.value.close()] : [])))
    },
  }
}

function otherFolder(sessionId: string, folder: string): Trouble {
  return {
    code: 'other_folder',
    what: `Session ${sessionId} works in ${folder}.`,
    kept: 'The session is unchanged.',
    todo: 'Open that folder in the editor, then load the session there.',
  }
}

const CHANGED: Trouble = {
  code: 'session_changed',
  what: 'The session changed while it was being deleted.',
  kept: 'Nothing was deleted.',
  todo: 'Delete it again.',
}
