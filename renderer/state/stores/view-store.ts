import { z } from 'zod'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { RuleDraft } from '../../../shared/api/rules.ts'
import type { FolderFacts } from '../../../shared/api/workspace.ts'
import { SessionId, ToolCallId } from '../../../shared/lib/ids.ts'
import type { ProviderId } from '../../../shared/session/content.ts'
import type { ConversationPoint } from '../../../shared/session/conversation-move.ts'
import type { UndoTarget } from '../../../shared/session/rollback.ts'
import type { PictureSource } from './blob-cache.ts'
import { readStored, type BrowserStorage, writeStored } from './browser-storage.ts'

const TABS = ['changes', 'terminal', 'agents', 'plan', 'context'] as const
export type InspectorTab = (typeof TABS)[number]

export interface PaneView {
  /** Whether the pane is open in windows of at least 1080 px, where it is a column. */
  readonly shown: boolean
  /** Whether the pane is open in windows narrower than 1080 px, where it is a drawer. */
  readonly drawn: boolean
  /** Width in pixels. Null for the default of the layout. */
  readonly width: number | null
}

/** The dialog above the desk. */
type Overlay =
  | { readonly kind: 'folder' }
  /** The folders of other machines. */
  | { readonly kind: 'place' }
  /** If `opens` is true, a yes starts a session in the folder. Otherwise, an open session continues. */
  | { readonly kind: 'trust'; readonly facts: FolderFacts; readonly opens: boolean }
  | { readonly kind: 'palette' }
  | { readonly kind: 'keys' }
  | { readonly kind: 'delete'; readonly sessionIds: readonly SessionId[] }
  | { readonly kind: 'import' }
  | { readonly kind: 'picture'; readonly sessionId: SessionId; readonly picture: PictureSource }

/** A line of a file that a session changed. */
export interface AskedLine {
  /** Absolute path. */
  readonly path: string
  readonly side: 'deletions' | 'additions'
  readonly line: number
  /** Whether the line is shown in the complete file. Otherwise it is shown in the diff, with a note about who wrote it. */
  readonly isWhole: boolean
  /** The step that made the shown version. Null for the newest version of the session. */
  readonly step: ToolCallId | null
}

/** A step as a whole. */
interface AskedStep {
  readonly path: null
  readonly step: ToolCallId
}

/** The file that the viewer shows. */
export interface ViewedFile {
  readonly sessionId: SessionId
  /** Path as the session uses it: relative to its folder, or absolute. */
  readonly path: string
  /** The line to scroll to, from 1. Null for the first line. */
  readonly line: number | null
}

/** What this window shows. Losing this state loses no data. */
export interface View {
  readonly page: 'desk' | 'review' | 'bring-in' | 'settings' | 'history' | 'replay' | 'files'
  readonly sessionId: SessionId | null
  /** Two sessions that are shown side by side. `sessionId` is the active one, which gets the keys. Null if only that one is shown. */
  readonly pair: readonly [SessionId, SessionId] | null
  readonly tab: InspectorTab
  /** The command that the Terminal tab scrolls to. */
  readonly terminalOf: ToolCallId | null
  /** The provider whose key field the settings open first. */
  readonly keyOf: ProviderId | null
  /** Element id of the section that the settings page shows next. Null to keep its scroll position. */
  readonly section: string | null
  /** The rule that the form for a new rule begins with. Null if it begins empty. */
  readonly newRule: RuleDraft | null
  /** The selected subagent of the Agents tab. */
  readonly agent: SessionId | null
  readonly sessions: PaneView
  readonly inspector: PaneView
  readonly overlay: Overlay | null
  /** The folder from the command line while it waits for the trust answer. The trust question then replaces the start page. */
  readonly opening: FolderFacts | null
  /** Id of the call whose request the tray shows. Null for the first request. */
  readonly request: string | null
  /** The undo that the full review previews. Null if it shows the changes. */
  readonly undo: UndoTarget | null
  /** The point to which the conversation can go back with that undo. Null to derive it from the undo. */
  readonly undoPoint: ConversationPoint | null
  /** The page from which the preview of an undo was opened. */
  readonly undoFrom: 'desk' | 'review'
  /** The initial words of the search of all sessions. */
  readonly sought: string
  /** The ledger entry to scroll to. Null if there is none. */
  readonly goal: { readonly sessionId: SessionId; readonly item: number } | null
  /** The session of the replay, and the event after which it begins. Null for its first moment. */
  readonly replayed: { readonly sessionId: SessionId; readonly from: number | null } | null
  /** What the full review shows when it opens: a step, or a line with its writer. Null for everything that changed. */
  readonly asked: AskedLine | AskedStep | null
  /** The file in the viewer. Null if none was opened. */
  readonly file: ViewedFile | null
  /**
   * The user's own terminals that the Terminal tab of each session shows, from top to bottom. Without an entry, it shows the agent's
   * commands.
   */
  readonly ownShown: Readonly<Record<string, readonly ToolCallId[]>>
  /** Whether the title of the current session is being edited. */
  readonly renaming: boolean
  /** How the list of sessions is grouped, and whether it shows archived sessions. */
  readonly grouping: { readonly by: 'project' | 'day'; readonly withArchived: boolean }
  /** How far each session has been seen, as its `cursor`. */
  readonly seen: Readonly<Record<string, number>>
  /** Sessions whose early end was dismissed, with the `cursor` of their newest event at that time. */
  readonly dismissed: Readonly<Record<string, number>>
}

const PairNote = z.tuple([SessionId, SessionId])
const OwnShownNote = z.record(z.string(), z.array(ToolCallId).readonly())
const ViewedFileNote = z.object({ sessionId: SessionId, path: z.string(), line: z.number().nullable() })

const KEY = 'countersign.view'
const PANE: PaneView = { shown: true, drawn: false, width: null }
const FRESH: View = {
  page: 'desk',
  sessionId: null,
  pair: null,
  tab: 'changes',
  terminalOf: null,
  keyOf: null,
  section: null,
  newRule: null,
  agent: null,
  sessions: PANE,
  inspector: PANE,
  overlay: null,
  opening: null,
  request: null,
  undo: null,
  undoPoint: null,
  undoFrom: 'desk',
  sought: '',
  goal: null,
  replayed: null,
  asked: null,
  file: null,
  ownShown: {},
  renaming: false,
  grouping: { by: 'project', withArchived: false },
  seen: {},
  dismissed: {},
}

/** Restores what this window showed before a reload. A new window starts with what any window showed last. */
export function createViewStore(own: BrowserStorage | null, shared: BrowserStorage | null): StoreApi<View> {
  const store = createStore<View>(() => ({ ...FRESH, ...remembered(own, shared) }))
  store.subscribe((view) => {
    const { page, sessionId, tab, seen, dismissed, grouping, file, ownShown, pair } = view
    const panes = { sessions: closed(view.sessions), inspector: closed(view.inspector) }
    const note = JSON.stringify({ page, sessionId, tab, grouping, file, ownShown, pair, seenTo: seen, dismissedTo: dismissed, ...panes })
    writeStored(own, KEY, note)
    writeStored(shared, KEY, note)
  })
  return store
}

const closed = (pane: PaneView): PaneView => ({ ...pane, drawn: false })

function remembered(own: BrowserStorage | null, shared: BrowserStorage | null): Partial<View> {
  try {
    const stored: unknown = JSON.parse(readStored(own, KEY) ?? readStored(shared, KEY) ?? 'null')
    return typeof stored === 'object' && stored !== null ? checked(stored) : {}
  } catch {
    return {}
  }
}

/** The stored form of the view. Some names differ, because older versions stored times under the names `seen` and `settled`. */
interface Noted {
  readonly seenTo: View['seen']
  readonly dismissedTo: View['dismissed']
  /** The name that older versions used for `dismissedTo`. */
  readonly settledTo: View['dismissed']
}

/** Returns the valid parts of stored data from any version. */
function checked(stored: Partial<View & Noted>): Partial<View> {
  const { page, tab, grouping, sessions, inspector, seenTo: seen, dismissedTo: dismissed = stored.settledTo } = stored
  const sessionId = SessionId.safeParse(stored.sessionId)
  const pair = PairNote.safeParse(stored.pair)
  const shown = OwnShownNote.safeParse(stored.ownShown)
  const file = ViewedFileNote.safeParse(stored.file)
  return {
    ...(page === 'desk' || page === 'review' || page === 'bring-in' || page === 'settings' || page === 'files' ? { page } : {}),
    ...(grouping ? { grouping: { by: grouping.by === 'day' ? 'day' : 'project', withArchived: Boolean(grouping.withArchived) } } : {}),
    ...(tab !== undefined && TABS.includes(tab) ? { tab } : {}),
    ...(sessionId.success ? { sessionId: sessionId.data } : {}),
    ...(sessions ? { sessions: { ...PANE, ...sessions } } : {}),
    ...(inspector ? { inspector: { ...PANE, ...inspector } } : {}),
    ...(pair.success && sessionId.success && pair.data.includes(sessionId.data) ? { pair: pair.data } : {}),
    ...(shown.success ? { ownShown: shown.data } : {}),
    ...(file.success ? { file: file.data } : {}),
    ...(seen ? { seen } : {}),
    ...(dismissed ? { dismissed } : {}),
  }
}
