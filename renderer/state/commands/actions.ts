import type { AppClient } from '../../../shared/api/contract.ts'
import type { RuleDraft } from '../../../shared/api/rules.ts'
import type { Hello } from '../../../shared/api/app.ts'
import { REHEARSAL_TASK } from '../../../shared/api/sessions.ts'
import { newId, type SessionId, type ToolCallId } from '../../../shared/lib/ids.ts'
import type { ConversationPoint } from '../../../shared/session/conversation-move.ts'
import type { UndoTarget } from '../../../shared/session/rollback.ts'
import type { ProviderId } from '../../../shared/session/content.ts'
import type { SessionSummary } from '../../../shared/api/sessions.ts'
import type { SessionConfigured, Trouble } from '../../../shared/session/events.ts'
import { focusWhenThere } from './focus-when-there.ts'
import { attemptRequest, NOT_CONNECTED, requestOrReport } from './attempt-request.ts'
import { typeIntoNextSession } from './catch-typing.ts'
import type { Desk } from '../desk.ts'
import type { PictureSource } from '../stores/blob-cache.ts'
import { whoAsks } from '../views/session-families.ts'
import { sessionsInNeed } from '../views/session-needs.ts'
import { inListOrder, isBusy } from '../stores/session-list.ts'
import type { InspectorTab, View } from '../stores/view-store.ts'

/** Commands of the desk. Buttons, keys and the palette call the same functions. */

export function showSession(desk: Desk, sessionId: SessionId | null): void {
  if (desk.view.getState().sessionId !== sessionId) desk.signing.moved()
  desk.view.setState(({ sessions, pair, sessionId: before }) => ({
    page: 'desk',
    sessionId,
    pair: pairWith(pair, before, sessionId),
    overlay: null,
    opening: null,
    renaming: false,
    request: null,
    undo: null,
    terminalOf: null,
    sessions: { ...sessions, drawn: false },
  }))
}

/** While two sessions are side by side, a session that is shown replaces the active one. */
function pairWith(pair: View['pair'], before: SessionId | null, shown: SessionId | null): View['pair'] {
  if (pair === null || shown === null) return null
  if (pair.includes(shown)) return pair
  return pair[0] === before ? [shown, pair[1]] : [pair[0], shown]
}

/** Shows the session that was shown before the current one. Quick repeated calls go further back. */
export function showPreviousSession(desk: Desk): void {
  const { sessions } = desk.list.getState()
  const previous = desk.recent.before((sessionId) => sessions.has(sessionId))
  if (previous !== null) showSession(desk, previous)
}

/** Shows a session at one of its ledger entries. `item` is the index in the complete ledger. Null for its end. */
export function showEntry(desk: Desk, sessionId: SessionId, item: number | null): void {
  showSession(desk, sessionId)
  desk.view.setState({ goal: item === null ? null : { sessionId, item } })
}

/** Opens a replay of a session. `from` is the event after which it begins. Null for the first moment. */
export function showReplay(desk: Desk, sessionId: SessionId, from: number | null = null): void {
  desk.view.setState({ page: 'replay', replayed: { sessionId, from }, overlay: null })
}

export function showTab(desk: Desk, tab: InspectorTab, terminalOf: ToolCallId | null = null): void {
  desk.view.setState((view) => ({
    page: 'desk',
    tab,
    terminalOf,
    ...(terminalOf !== null && view.sessionId !== null && { ownShown: { ...view.ownShown, [view.sessionId]: [] } }),
    inspector: { ...view.inspector, shown: true, drawn: true },
  }))
}

/** Opens the settings and focuses the key field of this provider. */
export function askForKey(desk: Desk, provider: ProviderId): void {
  desk.view.setState({ page: 'settings', keyOf: provider })
}

/** Opens the settings and scrolls to the base URL of this provider. */
export function askForAddress(desk: Desk, provider: ProviderId): void {
  desk.view.setState({ page: 'settings' })
  focusWhenThere(`[data-address-of="${provider}"] button`, 'shown')
}

/** Opens the settings and scrolls to the limit per session. */
export function askForLimit(desk: Desk): void {
  desk.view.setState({ page: 'settings' })
  focusWhenThere('#settings-limits input[aria-label="Tokens per session"]', 'shown')
}

/** Opens the settings with this rule in the form for a new one. */
export function startRule(desk: Desk, newRule: RuleDraft): void {
  desk.view.setState({ page: 'settings', newRule })
  focusWhenThere('#settings-rules input[aria-label="Pattern of the new rule"]', 'shown')
}

/** Opens the settings and scrolls to the last check of what is stored. */
export function showDoctor(desk: Desk): void {
  desk.view.setState({ page: 'settings' })
  focusWhenThere('#settings-doctor button', 'shown')
}

/** Opens the settings and scrolls to the MCP servers. */
export function showServers(desk: Desk): void {
  desk.view.setState({ page: 'settings' })
  focusWhenThere('#settings-mcp button', 'shown')
}

/** Opens the settings and scrolls to what is stored and what can be removed. */
export function showStorage(desk: Desk): void {
  desk.view.setState({ page: 'settings' })
  focusWhenThere('#settings-storage button', 'shown')
}

/** Shows a section of the settings page. `section` is its element id. */
export function showSettings(desk: Desk, section: string): void {
  desk.view.setState({ page: 'settings', section, overlay: null })
}

/** Opens the search of all sessions with these words. */
export function searchSessions(desk: Desk, words: string): void {
  desk.view.setState({ page: 'history', sought: words, overlay: null })
}

/** Opens the settings and scrolls to the keyboard shortcuts. */
export function showKeys(desk: Desk): void {
  desk.view.setState({ page: 'settings', overlay: null })
  focusWhenThere('#settings-keys button', 'shown')
}

/** Shows the terminal of a command, in any session. */
export function showCommand(desk: Desk, sessionId: SessionId, toolCallId: ToolCallId): void {
  if (desk.view.getState().sessionId !== sessionId) showSession(desk, sessionId)
  showTab(desk, 'terminal', toolCallId)
}

/** Shows a picture from a message or a result at full size, or scaled down to fit the window. */
export function showPicture(desk: Desk, sessionId: SessionId, picture: PictureSource): void {
  desk.view.setState({ overlay: { kind: 'picture', sessionId, picture } })
}

/** Shows a subagent in the Agents tab. */
export function showAgent(desk: Desk, agent: SessionId): void {
  desk.view.setState({ agent })
  showTab(desk, 'agents')
}

/**
 * The next session that needs the user: the current session if it or one of its subagents does, otherwise the first of `sessionsInNeed`.
 */
export function nextThatNeedsMe(desk: Desk): SessionId | null {
  const { sessionId, ...known } = desk.view.getState()
  const { sessions } = desk.list.getState()
  if (sessionId !== null && whoAsks(sessions, sessionId)) return sessionId
  const needing = sessionsInNeed(sessions.values(), known)
  return needing.find((session) => session.sessionId === sessionId)?.sessionId ?? needing[0]?.sessionId ?? null
}

/**
 * Opens a new session in a trusted folder. For other folders it asks for trust, in a dialog or, for the folder from the command line, on a
 * page. Resolves to null if it worked.
 */
export async function openFolder(desk: Desk, folder: string, asks: 'over' | 'page' = 'over'): Promise<Trouble | null> {
  return attemptRequest(desk, 'The folder was not opened', async (client) => {
    const looked = await client.workspace.inspect({ folder })
    if (!looked.ok) return looked
    if (looked.facts.trust === 'yes') return asDone(await newSession(desk, looked.facts.folder))
    desk.view.setState(asks === 'page' ? { opening: looked.facts } : { overlay: { kind: 'trust', facts: looked.facts, opens: true } })
    return { ok: true }
  })
}

/**
 * Asks for trust in the folder of a session again if the folder is not trusted in its current state, because the session cannot work there
 * until it is.
 */
export async function askForTrust(desk: Desk, sessionId: SessionId): Promise<void> {
  const folder = desk.list.getState().sessions.get(sessionId)?.folder
  if (folder === undefined) return
  const failed = await attemptRequest(desk, 'The folder was not examined', async (client) => {
    const looked = await client.workspace.inspect({ folder })
    if (!looked.ok) return looked
    if (looked.facts.trust !== 'yes') desk.view.setState({ overlay: { kind: 'trust', facts: looked.facts, opens: false } })
    return { ok: true }
  })
  if (failed) desk.notice.setState({ trouble: failed })
}

/** Shows a new session. If no session was shown before, also clears the error of an earlier attempt. */
function showBegun(desk: Desk, sessionId: SessionId): void {
  if (desk.view.getState().sessionId === null) desk.notice.setState({ trouble: null })
  showSession(desk, sessionId)
}

/**
 * Creates a session, or reuses a session without messages, so that asking twice does not create two empty sessions. A session whose
 * provider or model differs from the current defaults is not reused.
 */
export function newSession(desk: Desk, folder: string): Promise<Trouble | null> {
  return typeIntoNextSession(desk, () => openEmptySession(desk, folder, null))
}

/** Where a new session works, and which agent works there. Third-party agents work only beside the folder. */
export interface WantedPlace {
  readonly isBeside: boolean
  /** The id of the agent. Null for Countersign's own. */
  readonly agent: string | null
}

/**
 * Like `newSession`, for a session with this place and agent. If `place` is null, any place and agent will do. `onShown` is called with the
 * session when it is on screen, and never if the user has switched to another one meanwhile.
 */
export async function openEmptySession(
  desk: Desk,
  folder: string,
  place: WantedPlace | null,
  onShown: (sessionId: SessionId) => void = () => {},
): Promise<Trouble | null> {
  const defaults = desk.settings.getState().settings?.settings ?? null
  const asksAsUsual = ({ provider, model, where }: SessionConfigured): boolean =>
    defaults === null || agentIn(where) !== null || (provider === defaults.provider && (defaults.model === '' || model === defaults.model))
  const fits = (one: SessionSummary): boolean =>
    one.parent === null &&
    one.folder === folder &&
    one.title === '' &&
    one.run === 'IDLE' &&
    !desk.taken.has(one.sessionId) &&
    (place === null || isAt(one.config, place)) &&
    asksAsUsual(one.config)
  const show = (sessionId: SessionId): void => {
    showBegun(desk, sessionId)
    onShown(sessionId)
  }
  const untouched = inListOrder([...desk.list.getState().sessions.values()].filter(fits))[0]
  if (untouched) {
    show(untouched.sessionId)
    return null
  }
  const before = desk.view.getState().sessionId
  return attemptRequest(desk, 'No session was opened', async (client) => {
    const created = await client.sessions.create({
      folder,
      isBeside: place?.isBeside === true,
      ...(place && place.agent !== null && { agent: place.agent }),
    })
    // The user may have switched to another session in the meantime.
    if (created.ok && desk.view.getState().sessionId === before) show(created.sessionId)
    return created
  })
}

/** The id of the third-party agent that works in a session. Null for Countersign's own agent. */
export const agentIn = (where: SessionConfigured['where']): string | null => (where?.kind === 'beside' ? (where.agent ?? null) : null)

export const isAt = ({ where }: SessionConfigured, { isBeside, agent }: WantedPlace): boolean =>
  (where?.kind === 'beside') === isBeside && agentIn(where) === agent

/** Starts the scripted session on a fresh copy of the sample project and sends its task. */
export async function startRehearsal(desk: Desk): Promise<Trouble | null> {
  return attemptRequest(desk, 'The rehearsal did not start', async (client) => {
    const created = await client.sessions.rehearse({})
    if (!created.ok) return created
    showBegun(desk, created.sessionId)
    return client.sessions.send({ sessionId: created.sessionId, inputId: newId('i'), text: REHEARSAL_TASK, delivery: 'steer' })
  })
}

/** Opens the system's folder dialog if main offers one, otherwise Countersign's own. Waits until main has said what it offers. */
export async function chooseFolder(desk: Desk): Promise<Trouble | null> {
  const { capabilities } = await helloOf(desk)
  if (!capabilities.folderDialog) {
    desk.view.setState({ overlay: { kind: 'folder' } })
    return null
  }
  const client = desk.connection.client
  if (!client) return NOT_CONNECTED
  const { folder } = await client.app.pickFolder({})
  return folder === null ? null : openFolder(desk, folder)
}

function helloOf(desk: Desk): Promise<Hello> {
  const { hello } = desk.app.getState()
  if (hello) return Promise.resolve(hello)
  return new Promise((resolve) => {
    const stop = desk.app.subscribe(({ hello: said }) => {
      if (!said) return
      stop()
      resolve(said)
    })
  })
}

/** Stops the turn of a session. Shows a notice if that fails. */
export function stopTurn(desk: Desk, sessionId: SessionId): void {
  requestOrReport(desk, 'The turn was not stopped', (client) => client.sessions.stop({ sessionId }))
}

/** Stops every running turn, in all sessions and processes. */
export function stopAll(desk: Desk): void {
  for (const session of desk.list.getState().sessions.values()) if (isBusy(session)) stopTurn(desk, session.sessionId)
}

/** Retries a failed request without waiting. */
export function retryNow(desk: Desk, sessionId: SessionId): void {
  requestOrReport(desk, 'The request was not repeated', (client) => client.sessions.retryNow({ sessionId }))
}

export function resumeTurn(desk: Desk, sessionId: SessionId): void {
  requestOrReport(desk, 'The turn was not resumed', (client) => client.sessions.resume({ sessionId }))
}

/** Changes settings, then resumes the turn of a session. */
export function resumeWithSettings(desk: Desk, sessionId: SessionId, change: Parameters<AppClient['settings']['change']>[0]): void {
  requestOrReport(desk, 'The turn was not resumed', async (client) => {
    const changed = await client.settings.change(change)
    return changed.ok ? client.sessions.resume({ sessionId }) : changed
  })
}

/** Changes the model of a session, then resumes its turn. */
export function resumeWith(desk: Desk, sessionId: SessionId, change: Partial<SessionConfigured>): void {
  requestOrReport(desk, 'The turn was not resumed', async (client) => {
    const changed = await client.sessions.configure({ sessionId, ...change })
    return changed.ok ? client.sessions.resume({ sessionId }) : changed
  })
}

/** Compacts the conversation now or, while a turn runs, before its next request. `instructions` say what the summary should keep. */
export function compactSession(desk: Desk, sessionId: SessionId, instructions = ''): Promise<Trouble | null> {
  return attemptRequest(desk, 'The conversation was not compacted', (client) => client.sessions.compact({ sessionId, instructions }))
}

/** Undoes the newest compaction. The model then gets the compacted messages again. */
export function undoCompaction(desk: Desk, sessionId: SessionId): void {
  requestOrReport(desk, 'The compaction was not undone', (client) => client.sessions.undoCompaction({ sessionId }))
}

/**
 * Shows what an undo would do, in the full review. Nothing is changed. `point` is the point to which the conversation can go back with
 * the files.
 */
export function previewUndo(desk: Desk, target: UndoTarget, point: ConversationPoint | null = null): void {
  desk.view.setState(({ page, undo, undoFrom }) => ({
    page: 'review',
    undo: target,
    undoPoint: point,
    undoFrom: undo !== null ? undoFrom : page === 'review' ? 'review' : 'desk',
  }))
}

/** Returns to the page where the preview was opened. */
export function closeUndo(desk: Desk): void {
  desk.view.setState(({ undoFrom }) => ({ page: undoFrom, undo: null }))
}

/** Names a session. An empty name restores the automatic title. */
export function renameSession(desk: Desk, sessionId: SessionId, name: string): void {
  requestOrReport(desk, 'The session was not renamed', (client) => client.sessions.rename({ sessionId, name }))
}

export function configureSession(desk: Desk, sessionId: SessionId, change: Partial<SessionConfigured>): void {
  requestOrReport(desk, 'The setting was not changed', (client) => client.sessions.configure({ sessionId, ...change }))
}

/** Sends Ctrl+C to a running command. The turn continues with the command's output. Returns false if the command has no terminal. */
export async function interruptCommand(desk: Desk, sessionId: SessionId, toolCallId: ToolCallId): Promise<boolean> {
  const sent = await desk.connection.client?.terminals.write({ sessionId, toolCallId, data: '\u0003' }).catch(() => null)
  return sent?.written ?? false
}

/** Stops a background command and its child processes. Returns false if the command no longer runs. */
export async function endCommand(desk: Desk, sessionId: SessionId, toolCallId: ToolCallId): Promise<boolean> {
  const reply = await desk.connection.client?.terminals.end({ sessionId, toolCallId }).catch(() => null)
  return reply?.ended ?? false
}

/** Dismisses the notice about the early end of a turn, in every window. The ledger still shows the end. */
export function dismissEarlyEnd(desk: Desk, sessionId: SessionId): void {
  const cursor = desk.list.getState().sessions.get(sessionId)?.cursor ?? 0
  desk.view.setState(({ dismissed }) => ({ dismissed: { ...dismissed, [sessionId]: cursor } }))
  // If there is no connection, `followDismissed` sends the dismissal after reconnecting.
  void desk.connection.client?.sessions.dismiss({ sessionId, cursor }).catch(() => {})
}

const asDone = (trouble: Trouble | null) => (trouble ? ({ ok: false, trouble } as const) : ({ ok: true } as const))
