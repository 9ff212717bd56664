import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Weight } from '../../../shared/api/storage.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { Connection } from '../database/connection.ts'

/** Records which session refers to which blobs, as read from the log. Any text of 64 hexadecimal digits counts as a reference. */
export interface BlobReferences {
  /** Reads the events that were added since the last call. */
  refresh(): void
  /** The sessions that users started, each with its subagents. */
  families(): readonly Family[]
  /** What deleting each of these groups would free. The groups must not share a session. The time is linear in the number of references. */
  weighEach(groups: readonly ReadonlySet<SessionId>[]): readonly Weight[]
  /** What deleting these sessions would free. */
  weigh(ids: ReadonlySet<SessionId>): Weight
  /** Blobs that only these sessions reference, with their sizes. */
  exclusive(ids: ReadonlySet<SessionId>): ReadonlyMap<string, number>
  /**
   * Blobs that no session references. If `among` is a set, only those in it. If `among` is null, all of them except pictures, because a
   * message that is still being written may need a picture.
   */
  unreferenced(among: ReadonlySet<string> | null): ReadonlyMap<string, number>
  /** Forgets sizes of removed blobs. */
  removed(hashes: Iterable<string>): void
}

interface Family {
  readonly root: SessionId
  readonly folder: string
  readonly ids: ReadonlySet<SessionId>
}

interface References {
  readonly refs: Set<string>
  /** Strings that look like references but match no known blob. The blob may have been stored after the sizes were read. */
  readonly pending: Set<string>
}

interface Known extends References {
  readonly cursor: number
  readonly bytes: number
}

const HASH = /(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/gu
/**
 * Maximum size in bytes of a blob that is searched for the hashes of other blobs. The change set of a copy is an example of such a blob.
 */
const MAX_LIST = 64 * 1024 * 1024

interface BlobPlaces {
  readonly folder: string
  read(hash: string): Uint8Array | null
  /** Texts outside the log whose references are always needed. */
  decisions?(): readonly string[]
}

export function createBlobReferences(db: Connection, blobs: BlobPlaces): BlobReferences {
  const totals = db.prepare<[], { session_id: SessionId; cursor: number; bytes: number }>(
    'SELECT session_id, max(seq) AS cursor, sum(octet_length(event)) AS bytes FROM events GROUP BY session_id',
  )
  const later = db.prepare<[SessionId, number], string>('SELECT event FROM events WHERE session_id = ? AND seq > ? ORDER BY seq').pluck()
  const trusted = db.prepare<[], string>('SELECT configuration FROM folders WHERE configuration IS NOT NULL').pluck()
  const listed = db.prepare<[], { session_id: SessionId; cwd: string; parent: string | null }>(
    'SELECT session_id, cwd, parent FROM sessions',
  )
  const known = new Map<SessionId, Known>()
  const named = new Map<string, readonly string[]>()
  let sizes: Map<string, number> = new Map()

  /** The strings in a blob that look like references. */
  const namedIn = (hash: string): readonly string[] => {
    const before = named.get(hash)
    if (before) return before
    const bytes = (sizes.get(hash) ?? Infinity) > MAX_LIST ? null : blobs.read(hash)
    const isList = bytes !== null && (bytes[0] === 0x7b || bytes[0] === 0x5b)
    const own = isList ? hashesIn(Buffer.from(bytes).toString('latin1')) : []
    if (bytes) named.set(hash, own)
    return own
  }
  /** Records a blob and the blobs that it references, directly or through other blobs. */
  const note = (found: References, hash: string): void => {
    if (found.refs.has(hash)) return
    if (!sizes.has(hash)) return void found.pending.add(hash)
    found.pending.delete(hash)
    found.refs.add(hash)
    for (const one of namedIn(hash)) note(found, one)
  }
  const needed = (but: ReadonlySet<SessionId>): ReadonlySet<string> => {
    const all = new Set<string>()
    for (const text of [...trusted.all(), ...(blobs.decisions?.() ?? [])])
      for (const hash of hashesIn(text)) note({ refs: all, pending: new Set() }, hash)
    for (const [id, { refs }] of known) if (!but.has(id)) for (const hash of refs) all.add(hash)
    return all
  }
  const ownOf = (ids: ReadonlySet<SessionId>): ReadonlySet<string> => new Set([...ids].flatMap((id) => [...(known.get(id)?.refs ?? [])]))
  const withSizes = (hashes: Iterable<string>): ReadonlyMap<string, number> =>
    new Map([...hashes].flatMap((hash) => (sizes.has(hash) ? [[hash, sizes.get(hash) ?? 0] as const] : [])))

  const references: BlobReferences = {
    refresh() {
      sizes = sizesOf(db, blobs.folder)
      const now = totals.all()
      const ids = new Set(now.map(({ session_id }) => session_id))
      for (const id of known.keys()) if (!ids.has(id)) known.delete(id)
      for (const { session_id: id, cursor, bytes } of now) {
        const session = known.get(id) ?? { cursor: 0, bytes: 0, refs: new Set(), pending: new Set() }
        for (const hash of session.pending) note(session, hash)
        if (session.cursor < cursor)
          for (const text of later.iterate(id, session.cursor)) for (const hash of hashesIn(text)) note(session, hash)
        known.set(id, { ...session, cursor, bytes })
      }
    },
    families: () => familiesIn(listed.all()),
    weigh: (ids) => references.weighEach([ids])[0] ?? { events: 0, blobs: 0, shared: 0 },
    weighEach: (groups) => weighGroups(groups, { known, sizes, always: needed(new Set(known.keys())) }),
    exclusive(ids) {
      const others = needed(ids)
      return withSizes([...ownOf(ids)].filter((hash) => !others.has(hash)))
    },
    unreferenced(among) {
      const all = needed(new Set())
      return new Map([...sizes].filter(([hash]) => !all.has(hash) && (among ? among.has(hash) : !isPicture(blobs.read(hash)))))
    },
    removed(hashes) {
      for (const hash of hashes) sizes.delete(hash)
    },
  }
  return references
}

/** Copies each hash, because a string returned by `match` would keep the entire text in memory. */
function hashesIn(text: string): readonly string[] {
  return [...new Set(text.match(HASH))].map((hash) => Buffer.from(hash, 'latin1').toString('latin1'))
}

interface ListedRow {
  readonly session_id: SessionId
  readonly cwd: string
  readonly parent: string | null
}

function familiesIn(all: readonly ListedRow[]): readonly Family[] {
  const rows = new Map(all.map((row) => [row.session_id, row]))
  const rootOf = (id: SessionId): SessionId => {
    const parent = rows.get(id)?.parent
    return parent ? rootOf((JSON.parse(parent) as { readonly sessionId: SessionId }).sessionId) : id
  }
  const byRoot = Map.groupBy(rows.keys(), rootOf)
  return [...byRoot].map(([root, ids]) => ({ root, folder: rows.get(root)?.cwd ?? '', ids: new Set(ids) }))
}

interface Weighed {
  readonly known: ReadonlyMap<SessionId, Known>
  readonly sizes: ReadonlyMap<string, number>
  /** Blobs that are needed regardless of the sessions. */
  readonly always: ReadonlySet<string>
}

function weighGroups(groups: readonly ReadonlySet<SessionId>[], { known, sizes, always }: Weighed): readonly Weight[] {
  const groupOf = new Map(groups.flatMap((ids, group) => [...ids].map((id) => [id, group] as const)))
  /**
   * For each blob, the only group that needs it. Null if a session outside that group needs the blob too, or if the blob is always needed.
   */
  const owner = new Map<string, number | null>([...always].map((hash) => [hash, null]))
  for (const [id, { refs }] of known) {
    const group = groupOf.get(id) ?? null
    for (const hash of refs) owner.set(hash, owner.has(hash) && owner.get(hash) !== group ? null : group)
  }
  return groups.map((ids, group) => {
    let blobs = 0
    let shared = 0
    let events = 0
    for (const id of ids) events += known.get(id)?.bytes ?? 0
    for (const hash of new Set([...ids].flatMap((id) => [...(known.get(id)?.refs ?? [])]))) {
      if (owner.get(hash) === group) blobs += sizes.get(hash) ?? 0
      else shared += sizes.get(hash) ?? 0
    }
    return { events, blobs, shared }
  })
}

/** Size of each blob in bytes, in the database and in files. */
function sizesOf(db: Connection, folder: string): Map<string, number> {
  const rows = db.prepare<[], { hash: string; bytes: number }>('SELECT lower(hex(hash)) AS hash, octet_length(bytes) AS bytes FROM blobs')
  const sizes = new Map(rows.all().map(({ hash, bytes }) => [hash, bytes]))
  for (const group of readdirSync(folder, { withFileTypes: true })) {
    if (!group.isDirectory() || group.name.length !== 2) continue
    for (const name of readdirSync(join(folder, group.name))) {
      const size = statSync(join(folder, group.name, name), { throwIfNoEntry: false })?.size
      if (size !== undefined && /^[0-9a-f]{64}$/u.test(name)) sizes.set(name, size)
    }
  }
  return sizes
}

/** Recognizes PNG, JPEG, GIF and WebP by the first bytes. */
function isPicture(bytes: Uint8Array | null): boolean {
  const head = Buffer.from(bytes?.subarray(0, 12) ?? []).toString('latin1')
  return /^(?:\u0089PNG|\u00ff\u00d8\u00ff|GIF8|RIFF....WEBP)/su.test(head)
}
