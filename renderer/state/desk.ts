import { z } from 'zod'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { QuitQuestion, SystemTrouble } from '../../shared/api/app.ts'
import type { UpdateState } from '../../shared/api/updates.ts'
import type { LostMachine } from '../../shared/places/places-api.ts'
import type { DoctorState } from '../../shared/api/doctor.ts'
import type { McpState } from '../../shared/api/mcp.ts'
import type { SettingsState } from '../../shared/api/settings.ts'
import type { SessionId } from '../../shared/lib/ids.ts'
import type { Trouble } from '../../shared/session/events.ts'
import type { Wire } from '../../shared/wire/wire.ts'
import { QuestionAnswer } from '../../shared/workflow/question.ts'
import {
  type AppState,
  followApp,
  followDoctor,
  followLeftCommands,
  followMcp,
  followLostPlaces,
  followQuitQuestion,
  followUpdates,
  followSettings,
  followSystem,
  type LeftCommands,
} from './stores/app-stores.ts'
import { type ApprovalDesk, createApprovalDesk } from './stores/approval-desk.ts'
import { type BlobTexts, createBlobTexts, createPictureUrls, type PictureUrls } from './stores/blob-cache.ts'
import { Connection } from './stores/connection.ts'
import { createUsedChoices, type UsedChoices } from './stores/used-choices.ts'
import { createEditedTexts, type EditedTexts } from './stores/drafts/edited-texts.ts'
import { createDraftTexts, type DraftTexts } from './stores/drafts/draft-texts.ts'
import { createDraftPictures, type DraftPictures } from './stores/drafts/draft-pictures.ts'
import { createPlanDrafts, type PlanDraft } from './stores/plan-drafts.ts'
import { type CheckOutcome, createCheckOutcomes } from './stores/drafts/check-outcomes.ts'
import { createDecisions, type Decided } from './stores/review-decisions.ts'
import { createRequestDrafts, type RequestDrafts } from './stores/drafts/request-drafts.ts'
import { createDrafts, type Drafts } from './stores/drafts/drafts.ts'
import { followDismissed, followSeen } from './stores/follow-seen.ts'
import { createReturnFocus, type ReturnFocus } from './stores/return-focus.ts'
import { type Flags, followSessionFlags } from './stores/session-flags.ts'
import { followSessionList, type SessionList } from './stores/session-list.ts'
import { followSession, type SessionStore } from './stores/session-store.ts'
import type { BrowserStorage } from './stores/browser-storage.ts'
import { followCommandTerminals, type CommandTerminals } from './stores/terminals/command-terminals.ts'
import { followOwnTerminals, type OwnTerminals } from './stores/terminals/own-terminals.ts'
import { followPair } from './stores/follow-pair.ts'
import { followRecentSessions, type RecentSessions } from './stores/recent-sessions.ts'
import { createReturnPlace, type ReturnPlace } from './stores/return-place.ts'
import { createViewStore, type View } from './stores/view-store.ts'

/**
 * Number of sessions that are kept loaded, so that switching is instant. The number is higher than what one screen can show: a session,
 * its working subagents (at most four) and the selected subagent.
 */
const KEPT_OPEN = 8

export interface BrowserStorages {
  /** Storage of this window. It survives a reload. */
  readonly own: BrowserStorage | null
  /** Storage that all windows share. */
  readonly shared: BrowserStorage | null
}

const QuestionAnswers = z.array(QuestionAnswer).readonly()

/** Everything that the desk's features share. One per window. */
export class Desk {
  readonly connection: Connection
  readonly app: StoreApi<AppState>
  readonly system: StoreApi<{ readonly troubles: readonly SystemTrouble[] }>
  readonly lostPlaces: StoreApi<{ readonly lost: readonly LostMachine[] }>
  readonly quitting: StoreApi<{ readonly question: QuitQuestion | null }>
  readonly updates: StoreApi<{ readonly state: UpdateState | null }>
  readonly left: StoreApi<LeftCommands>
  readonly doctor: StoreApi<{ readonly doctor: DoctorState | null }>
  readonly mcp: StoreApi<{ readonly mcp: McpState | null }>
  readonly list: StoreApi<SessionList>
  readonly flags: StoreApi<Flags>
  /** The state of commands that have a terminal in main. */
  readonly commandTerminals: StoreApi<CommandTerminals>
  readonly ownTerminals: StoreApi<OwnTerminals>
  readonly settings: StoreApi<{ readonly settings: SettingsState | null }>
  readonly signing: ApprovalDesk
  /** The user's decisions about parts of open requests. */
  readonly decisions: RequestDrafts<Decided>
  /** How the last checks of open requests ended. */
  readonly checks: RequestDrafts<CheckOutcome>
  readonly planDrafts: RequestDrafts<PlanDraft>
  /** Answers to open questions that the user has not sent yet. */
  readonly answers: RequestDrafts<readonly QuestionAnswer[]>
  readonly texts: BlobTexts
  readonly pictureUrls: PictureUrls
  readonly view: StoreApi<View>
  /** The sessions that this window has shown. */
  readonly recent: RecentSessions
  readonly drafts: Drafts
  /**
   * Sessions that are not used as new ones although the list may still show them as empty: their first message is on its way, or they are
   * being deleted.
   */
  readonly taken = new Set<SessionId>()
  /** Counts how often this window has taken a folder's changes into a layer, so that views of their differences are updated. */
  readonly takeOvers: StoreApi<{ readonly count: number }> = createStore(() => ({ count: 0 }))
  readonly editedTexts: EditedTexts
  /** The unfolded folders of each session's list of files, as relative paths. */
  readonly openFolders = new Map<SessionId, ReadonlySet<string>>()
  /** The notes that go with a refusal. */
  readonly notes: Drafts
  readonly draftTexts: DraftTexts
  readonly used: UsedChoices
  readonly draftPictures: DraftPictures
  readonly returnFocus: ReturnFocus
  /** The place where the user was before Ctrl+J. */
  readonly returnPlace: ReturnPlace
  /** The place where the caret was before the shortcut to the terminal. */
  readonly terminalReturn: ReturnFocus
  /** An error from a shortcut or button that has no place of its own to show it. It is kept until it is dismissed. */
  readonly notice: StoreApi<{ readonly trouble: Trouble | null }>
  readonly #open = new Map<SessionId, SessionStore>()

  /** Returns the path of a file that was dropped or chosen. Empty in a browser, which does not reveal paths. */
  readonly pathOf: (file: File) => string

  constructor(open: () => Promise<Wire>, storages: BrowserStorages, pathOf: (file: File) => string = () => '') {
    this.pathOf = pathOf
    this.connection = new Connection(open)
    this.app = followApp(this.connection)
    this.system = followSystem(this.connection)
    this.lostPlaces = followLostPlaces(this.connection)
    this.quitting = followQuitQuestion(this.connection)
    this.updates = followUpdates(this.connection)
    this.left = followLeftCommands(this.connection)
    this.doctor = followDoctor(this.connection)
    this.mcp = followMcp(this.connection)
    this.commandTerminals = followCommandTerminals(this.connection)
    this.ownTerminals = followOwnTerminals(this.connection)
    this.list = followSessionList(this.connection, this.commandTerminals, this.left).store
    this.flags = followSessionFlags(this.connection)
    this.settings = followSettings(this.connection).store
    this.texts = createBlobTexts(this.connection)
    this.pictureUrls = createPictureUrls(this.connection)
    this.view = createViewStore(storages.own, storages.shared)
    this.recent = followRecentSessions(this.view)
    followPair(this.view, this.list)
    followSeen(this.connection, this.view, this.list)
    followDismissed(this.connection, this.view)
    this.decisions = createDecisions(storages.own)
    this.checks = createCheckOutcomes(storages.own)
    this.planDrafts = createPlanDrafts(storages.own)
    this.answers = createRequestDrafts(storages.own, 'answers', QuestionAnswers)
    this.drafts = createDrafts(storages.shared)
    this.notes = createDrafts(storages.shared, 'note')
    this.editedTexts = createEditedTexts(storages.own)
    this.draftTexts = createDraftTexts(storages.shared)
    this.used = createUsedChoices(storages.shared)
    this.draftPictures = createDraftPictures(storages.shared)
    this.returnFocus = createReturnFocus()
    this.returnPlace = createReturnPlace(this.view, this.returnFocus)
    this.terminalReturn = createReturnFocus()
    this.notice = createStore<{ readonly trouble: Trouble | null }>(() => ({ trouble: null }))
    this.signing = createApprovalDesk(this.connection, (trouble) => this.notice.setState({ trouble }))
  }

  /** The store of a session. It subscribes to the session when it is first used. The least recently used stores are closed. */
  session(sessionId: SessionId): SessionStore {
    const known = this.#open.get(sessionId) ?? followSession(this.connection, sessionId)
    this.#open.delete(sessionId)
    this.#open.set(sessionId, known)
    for (const [oldest, store] of this.#open) {
      if (this.#open.size <= KEPT_OPEN) break
      this.#open.delete(oldest)
      store.dispose()
    }
    return known
  }

  /** Stores everything that was typed and not sent, before the window closes. */
  flush(): void {
    for (const drafts of [this.drafts, this.notes, this.editedTexts, this.decisions, this.checks, this.planDrafts, this.answers])
      drafts.flush()
  }
}
