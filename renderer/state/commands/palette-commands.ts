import type { SessionId } from '../../../shared/lib/ids.ts'
import { APPROVAL_MODES } from '../../../shared/session/settings/approval-mode.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import { newestChange } from '../views/newest-change.ts'
import {
  chooseFolder,
  configureSession,
  previewUndo,
  resumeTurn,
  showDoctor,
  showKeys,
  showReplay,
  newSession,
  showPreviousSession,
  showSession,
  showTab,
  startRehearsal,
  stopAll,
  stopTurn,
} from './actions.ts'
import { askToDelete, flagSession, saveExport } from './session-actions.ts'
import { attemptRequest, report } from './attempt-request.ts'
import { defaultKeys } from './key-bindings.ts'
import type { Desk } from '../desk.ts'
import { canReveal, findFile, newestChangedFile, openInEditor, revealFile } from './files/file-actions.ts'
import { togglePair } from './session-pair.ts'
import { goToNeed } from './go-to-need.ts'
import { openOwnTerminal } from './own-terminals.ts'
import { goToTerminal } from './go-to-terminal.ts'
import { isBusy, nameOf } from '../stores/session-list.ts'
import type { Keys } from './key-combinations.ts'
import { isNarrow } from '../views/narrow-window.ts'
import type { PaneView } from '../stores/view-store.ts'

/** A named command. It is listed in the palette and on the sheet of keys, and run by its key. */
export interface Command {
  readonly id: string
  readonly group: 'This session' | 'Desk' | 'Appearance'
  readonly words: string
  /** The default key. See `key-bindings.ts`. */
  readonly keys?: Keys
  readonly run: () => void
}

/** All commands that are available now, in list order. */
export function paletteCommands(desk: Desk): readonly Command[] {
  return [...sessionCommands(desk), ...deskCommands(desk), ...appearanceCommands(desk)]
}

function sessionCommands(desk: Desk): readonly Command[] {
  const { sessionId } = desk.view.getState()
  if (!sessionId) return []
  const summary = desk.list.getState().sessions.get(sessionId)
  const folder = summary?.folder
  return [
    ...turnCommands(desk, sessionId),
    session('rename', 'Rename this session', () => desk.view.setState({ page: 'desk', renaming: true })),
    ...keeping(desk, sessionId),
    ...inspecting(desk),
    ...undoCommands(desk, sessionId),
    ...fileCommands(desk, sessionId),
    ...APPROVAL_MODES.filter((mode) => mode !== summary?.config.mode).map((mode) =>
      session(`mode-${mode}`, `Work in ${mode} mode`, () => configureSession(desk, sessionId, { mode })),
    ),
    ...(folder ? [session('new', `New session in ${nameOf(folder)}`, () => tell(desk, newSession(desk, folder)))] : []),
  ]
}

/** The commands that pin, archive, export and delete a session. */
function keeping(desk: Desk, sessionId: SessionId): readonly Command[] {
  const { pinned, archived } = desk.flags.getState()
  const isPinned = pinned.has(sessionId)
  const isArchived = archived.has(sessionId)
  return [
    session('pin', isPinned ? 'Unpin this session' : 'Pin this session', () => flagSession(desk, sessionId, 'pinned', !isPinned)),
    session('archive', isArchived ? 'Take this session out of the archive' : 'Archive this session', () =>
      flagSession(desk, sessionId, 'archived', !isArchived),
    ),
    session('export-markdown', 'Export this session as Markdown', () => saveExport(desk, sessionId, 'markdown')),
    session('export-html', 'Export this session as one HTML file', () => saveExport(desk, sessionId, 'html')),
    session('export-json', 'Export this session as JSON', () => saveExport(desk, sessionId, 'json')),
    ...(isPinned ? [] : [session('delete', 'Delete this session…', () => askToDelete(desk, [sessionId]))]),
  ]
}

/** Commands that show a part of the current session. */
export function inspecting(desk: Desk): readonly Command[] {
  return [
    session('changes', 'Changes', () => showTab(desk, 'changes')),
    session('terminal', 'Terminal', () => showTab(desk, 'terminal')),
    session('agents', 'Agents', () => showTab(desk, 'agents')),
    session('plan', 'Plan', () => showTab(desk, 'plan')),
    session('context', 'Context', () => showTab(desk, 'context')),
    session('caret', 'Type into the terminal, and back', () => goToTerminal(desk)),
    session('new-terminal', 'New terminal', () => newTerminal(desk)),
    session('files', 'Find a file', () => findFile(desk)),
    session('replay', 'Replay this session', () => replayCurrent(desk)),
    session('review', 'Changes as a full review', () => desk.view.setState({ page: 'review' })),
  ]
}

function newTerminal(desk: Desk): void {
  const { sessionId } = desk.view.getState()
  if (sessionId !== null) openOwnTerminal(desk, sessionId, { isInFolder: false })
}

function replayCurrent(desk: Desk): void {
  const { sessionId } = desk.view.getState()
  if (sessionId !== null) showReplay(desk, sessionId)
}

/** Two commands: one undoes the newest step that changed files, the other undoes everything since the user's last message. */
function undoCommands(desk: Desk, sessionId: SessionId): readonly Command[] {
  const { session: state } = desk.session(sessionId).store.getState()
  const step = state && newestChange(state)
  if (!step) return []
  return [
    session('undo', `Undo step ${step.step}`, () => previewUndo(desk, { kind: 'step', step: step.step })),
    session('roll-back', 'Undo all changes since your last message', () => previewUndo(desk, { kind: 'to', step: step.turnFrom })),
  ]
}

function fileCommands(desk: Desk, sessionId: SessionId): readonly Command[] {
  const file = newestChangedFile(desk, sessionId)
  if (file === null) return []
  const named = { sessionId, path: file.path }
  return [
    session('open-file', `Open ${file.shown} in the editor`, () => openInEditor(desk, named)),
    ...(canReveal(desk) ? [session('reveal-file', `Show ${file.shown} in the file manager`, () => revealFile(desk, named))] : []),
  ]
}

function turnCommands(desk: Desk, sessionId: SessionId): readonly Command[] {
  const summary = desk.list.getState().sessions.get(sessionId)
  if (summary && isBusy(summary)) return [session('stop', 'Stop this turn', () => stopTurn(desk, sessionId), 'Esc Esc')]
  const canResume = summary?.ended === 'interrupted' || summary?.ended === 'error' || summary?.ended === 'limit'
  return canResume ? [session('resume', 'Resume', () => resumeTurn(desk, sessionId))] : []
}

function deskCommands(desk: Desk): readonly Command[] {
  const { view } = desk
  const { sessionId } = view.getState()
  const hasFolder = sessionId !== null && desk.list.getState().sessions.has(sessionId)
  return [
    one('need', 'Go to the next thing that needs me', () => goToNeed(desk)),
    one('folder', 'Open a folder', () => tell(desk, chooseFolder(desk))),
    one('place', 'Open a folder on another machine', () => view.setState({ overlay: { kind: 'place' } })),
    ...(hasFolder ? [] : [one('new', 'New session', () => tell(desk, chooseFolder(desk)))]),
    one('rehearse', 'Start the rehearsal', () => tell(desk, startRehearsal(desk))),
    one('start', 'Start page', () => showSession(desk, null)),
    one('previous-session', 'Previously shown session', () => showPreviousSession(desk)),
    one('pair', view.getState().pair === null ? 'Two sessions side by side' : 'Only the active session', () => togglePair(desk)),
    one('stop-all', 'Stop all turns', () => stopAll(desk)),
    one('sessions', 'Show or fold sessions', () => fold(desk, 'sessions')),
    one('inspector', 'Show or fold the inspector', () => fold(desk, 'inspector')),
    one('import', 'Import a session…', () => view.setState({ overlay: { kind: 'import' } })),
    one('history', 'Search all sessions', () => view.setState({ page: 'history', sought: '' })),
    one('doctor', 'Doctor: check what is stored', () => showDoctor(desk)),
    one('settings', 'Settings', () => view.setState({ page: 'settings' })),
    one('palette', 'All commands', () => view.setState({ overlay: { kind: 'palette' } })),
    one('change-keys', 'Change keys', () => showKeys(desk)),
    one('keys', 'All keys', () => view.setState({ overlay: { kind: 'keys' } })),
  ]
}

function appearanceCommands(desk: Desk): readonly Command[] {
  const settings = desk.settings.getState().settings?.settings
  const change = (input: Parameters<NonNullable<Desk['connection']['client']>['settings']['change']>[0]): void =>
    tell(
      desk,
      attemptRequest(desk, 'The setting was not changed', (client) => client.settings.change(input)),
    )
  const themes = (['light', 'dark', 'system'] as const).filter((theme) => theme !== settings?.theme)
  const sizes = (['small', 'normal', 'large'] as const).filter((size) => size !== settings?.textSize)
  return [
    ...themes.map((theme) =>
      appearance(`theme-${theme}`, theme === 'system' ? 'Theme of the system' : `Theme ${theme}`, () => change({ theme })),
    ),
    ...sizes.map((textSize) => appearance(`text-${textSize}`, `Text ${textSize}`, () => change({ textSize }))),
  ]
}

/** Shows or hides a side pane. The pane is a column in windows of at least 1080 px, and a drawer in narrower windows. */
export function fold(desk: Desk, which: 'sessions' | 'inspector'): void {
  const toggled = (pane: PaneView): PaneView =>
    isNarrow() || desk.view.getState().pair !== null ? { ...pane, drawn: !pane.drawn } : { ...pane, shown: !pane.shown, drawn: false }
  desk.view.setState((view) => ({ page: 'desk', [which]: toggled(view[which]) }))
}

function tell(desk: Desk, doing: Promise<Trouble | null>): void {
  void report(desk, doing)
}

const make =
  (group: Command['group']) =>
  (id: string, words: string, run: () => void, keys = defaultKeys(id)): Command => ({
    id,
    group,
    words,
    run,
    ...(keys === undefined ? {} : { keys }),
  })
const session = make('This session')
const one = make('Desk')
const appearance = make('Appearance')
