import { type DoctorReport, type Finding, MAX_FINDINGS } from '../../../shared/api/doctor.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'

/** Collects the findings and counts of all checks in one run. */
export interface Findings {
  add(finding: Finding): void
  /** Records that a session has an event that cannot be read. */
  unreadable(sessionId: SessionId): void
  readonly unreadableSessions: ReadonlySet<SessionId>
  report(): Pick<DoctorReport, 'findings' | 'more' | 'unreadable'>
}

export function createFindings(): Findings {
  const all: Finding[] = []
  let more = 0
  const unreadableSessions = new Set<SessionId>()
  return {
    add(finding) {
      if (all.length < MAX_FINDINGS) all.push(finding)
      else more++
    },
    unreadable: (sessionId) => void unreadableSessions.add(sessionId),
    unreadableSessions,
    report: () => ({
      findings: all.toSorted((a, b) => Number(a.isHarmless) - Number(b.isHarmless)),
      more,
      unreadable: [...unreadableSessions],
    }),
  }
}

const ALL = { sessionId: null, isRepairable: false, isHarmless: false } as const
const REPAIR = 'Choose Repair, or run: npm run -s agent -- doctor --repair'

export const databaseDamaged = (lines: readonly string[]): Finding => ({
  ...ALL,
  kind: 'database',
  code: 'doctor_database',
  what: `SQLite reports damage in the history file: ${lines.join('; ')}`,
  kept: 'The file was not changed. Sessions outside the damaged part can be read.',
  todo: 'Copy the data folder, then check the disk. If sessions are missing, restore a backup (.bak) or a copy of your own.',
})

/** Only an index of the database is damaged. The log is complete. */
export const indexDamaged = (lines: readonly string[]): Finding => ({
  ...ALL,
  kind: 'database',
  code: 'doctor_database_index',
  isRepairable: true,
  what: `An index of the history file does not match its table: ${lines.join('; ')}`,
  kept: 'All events are intact. The index is built from them.',
  todo: REPAIR,
})

export const eventUnreadable = (sessionId: SessionId, seq: number, why: string): Finding => ({
  ...ALL,
  kind: 'event',
  code: 'doctor_event',
  sessionId,
  isRepairable: true,
  what: `Event ${seq} of session ${sessionId} cannot be read: ${why}`,
  kept: 'All other events of the session are intact.',
  todo: `${REPAIR}. The damaged text is moved to set-aside.jsonl in the data folder, and the session opens without it.`,
})

/** The database page that contains the event is damaged, so the event's text cannot be saved elsewhere. */
export const eventLost = (sessionId: SessionId, seq: number, why: string): Finding => ({
  ...eventUnreadable(sessionId, seq, why),
  isRepairable: false,
  todo: 'Copy the data folder, then check the disk. If you need the session, restore a backup (.bak) or a copy of your own.',
})

/** `after` is the newest event that was read; 0 if no event was read. */
export const logCutOff = (sessionId: SessionId, after: number, why: string): Finding => ({
  ...eventLost(sessionId, after, why),
  what: `Session ${sessionId} cannot be read ${after === 0 ? 'at all' : `after its event ${after}`}: ${why}`,
  kept: after === 0 ? 'The damaged file was not changed.' : 'Its events up to there are intact.',
})

export const sessionNotFolded = (sessionId: SessionId, why: string): Finding => ({
  ...ALL,
  kind: 'event',
  code: 'doctor_session',
  sessionId,
  what: `The events of session ${sessionId} can be read, but the session cannot be rebuilt from them: ${why}`,
  kept: 'Its events are intact.',
  todo: 'Export the session as JSON and report this as a bug.',
})

export const eventMissing = (sessionId: SessionId, seq: number, after: number | null): Finding => ({
  ...ALL,
  kind: 'event',
  code: 'doctor_gap',
  sessionId,
  what: `Session ${sessionId} has a gap: its event ${seq} follows ${after === null ? 'no event' : `event ${after}`}, which is not the one before it.`,
  kept: 'All events on both sides of the gap are intact.',
  todo: 'If something is missing from the session, restore a backup (.bak) or a copy of your own.',
})

export const unpaired = (sessionId: SessionId, seq: number, words: string): Finding => ({
  ...ALL,
  kind: 'pair',
  code: 'doctor_pair',
  sessionId,
  what: `Event ${seq} of session ${sessionId} ${words}`,
  kept: 'The event and its session can be read.',
  todo: 'No action needed, unless the session shows a wrong result. In that case, fork the session from before this event.',
})

export const callsOpen = (sessionId: SessionId, count: number): Finding => ({
  ...ALL,
  kind: 'pair',
  code: 'doctor_open_calls',
  sessionId,
  isHarmless: true,
  what: `${count === 1 ? 'One tool call' : `${count} tool calls`} of session ${sessionId} had not ended when the session’s process ended.`,
  kept: 'Everything that was recorded is kept.',
  todo: 'Open the session: the calls are then marked as interrupted.',
})

export const rowWrong = (sessionId: SessionId, words: string): Finding => ({
  ...ALL,
  kind: 'list',
  code: 'doctor_list',
  sessionId,
  isRepairable: true,
  what: `Session ${sessionId} ${words}`,
  kept: 'The session itself is intact. Its row in the list is built from its events.',
  todo: REPAIR,
})

/** `sessionId` is a session that needs the blob; null if none does. */
export const blobDamaged = (hash: string, sessionId: SessionId | null): Finding => ({
  ...ALL,
  kind: 'blob',
  code: 'doctor_blob',
  sessionId,
  isHarmless: sessionId === null,
  what: `The stored content ${hash.slice(0, 12)}… does not match its hash${sessionId === null ? '. No session needs it' : `; session ${sessionId} needs it`}.`,
  kept: 'The file or row was not changed. The damaged content is never shown or restored as if it were intact.',
  todo:
    sessionId === null
      ? '“Clean up” in Settings > Storage removes this content.'
      : 'If you need the content, restore a backup of the data folder.',
})

export const blobMissing = (sessionId: SessionId, hashes: readonly string[]): Finding => ({
  ...ALL,
  kind: 'blob',
  code: 'doctor_blob_missing',
  sessionId,
  what: `${hashes.length === 1 ? 'One stored content' : `${hashes.length} stored contents`} of session ${sessionId} ${hashes.length === 1 ? 'is' : 'are'} missing: ${hashes
    .slice(0, 3)
    .map((hash) => `${hash.slice(0, 12)}…`)
    .join(', ')}`,
  kept: 'The conversation is intact. Diffs and undo of the steps that need the content are not possible.',
  todo: 'If you need the content, restore a backup of the data folder.',
})

export const blobsMisnamed = (names: readonly string[]): Finding => ({
  ...ALL,
  kind: 'blob',
  code: 'doctor_blob_name',
  isHarmless: true,
  what: `${names.length === 1 ? 'A file' : `${names.length} files`} in the blobs folder ${names.length === 1 ? 'is' : 'are'} not from Countersign: ${names.slice(0, 3).join(', ')}`,
  kept: 'The files were not changed. Countersign does not read them.',
  todo: 'Delete them if you do not recognize them.',
})

export const searchWrong = (words: string): Finding => ({
  ...ALL,
  kind: 'search',
  code: 'doctor_search',
  isRepairable: true,
  what: `The search index ${words}`,
  kept: 'All sessions are intact. The index is built from them.',
  todo: REPAIR,
})

export const leftovers = (count: number): Finding => ({
  ...ALL,
  kind: 'leftover',
  code: 'doctor_leftover',
  isHarmless: true,
  what: `${count === 1 ? 'One file' : `${count} files`} of a killed Countersign process ${count === 1 ? 'is' : 'are'} left in the data folder.`,
  kept: 'Everything that was saved is kept. These files contain only unfinished copies and locks.',
  todo: 'No action needed. The next launch removes them.',
})

export const missingLayer = (sessionId: SessionId): Finding => ({
  ...ALL,
  kind: 'layer',
  code: 'doctor_layer_missing',
  sessionId,
  what: 'The layer in which this session works is missing. What it changed there and nobody brought in is only in its history.',
  kept: 'The session, its steps and the contents that they recorded are kept, and so is the folder.',
  todo: 'Open the session: it goes on in a new layer that begins like the folder. Its Changes still show what it did.',
})

export const leftLayers = (count: number): Finding => ({
  ...ALL,
  kind: 'layer',
  code: 'doctor_layer_left',
  isHarmless: true,
  what: `${count === 1 ? 'One layer belongs' : `${count} layers belong`} to no stored session.`,
  kept: 'All sessions and their layers are kept.',
  todo: 'No action needed. The next launch removes them. To see them: npm run -s agent -- layers list',
})

export const notWritable = (why: string): Finding => ({
  ...ALL,
  kind: 'database',
  code: 'doctor_read_only',
  what: `The history can be read but not written: ${why}`,
  kept: 'Everything saved so far is kept.',
  todo: 'Make the data folder writable for your user, or start with another data folder: --data DIR.',
})

export const newerSchema = (found: number, own: number): Finding => ({
  ...ALL,
  kind: 'database',
  code: 'doctor_newer',
  isHarmless: true,
  what: `The history was written by a newer version of Countersign (schema ${found}; this version knows ${own}).`,
  kept: 'The history is intact. It can be read here but not changed.',
  todo: 'Install the newer version again.',
})
