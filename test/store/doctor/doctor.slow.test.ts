import { Buffer } from 'node:buffer'
import {
  closeSync,
  cpSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createHistorySearch, indexAll } from '../../../main/history/history-search.ts'
import { hasLiveHolders } from '../../../main/store/claims/life-lock.ts'
import { openStore } from '../../../main/store/open-store.ts'
import { createDoctor, type Doctor } from '../../../main/store/doctor/doctor.ts'
import { isDamage, type DoctorReport } from '../../../shared/api/doctor.ts'
import { BlobHash, type SessionId, type ToolCallId } from '../../../shared/lib/ids.ts'
import type { DurableEvent } from '../../../shared/session/events.ts'
import type { Store } from '../../../main/store/store.ts'
import { NO_SMALL_DISK, smallDisk } from '../../support/small-disk.ts'
import { startChild } from '../support/child.ts'
import { callEnd, callStart, CONFIG, input, opened } from '../support/stores.ts'
import { tempFolder } from '../support/temp-folder.ts'

const CALL = 'call' as ToolCallId
const LARGE = Buffer.from('a large content\n'.repeat(4_000))
const SMALL = Buffer.from('a small content\n')

function doctorOf(dataFolder: string, version = '1.0.0', isShared = () => false): Doctor {
  const doctor = createDoctor({ dataFolder, version, now: Date.now, isShared, beforeRepair: async () => {}, afterRepair: async () => {} })
  onTestFinished(() => doctor.close())
  return doctor
}

async function checked(folder: string, repair = false): Promise<DoctorReport> {
  const { report, trouble } = await doctorOf(folder).run(repair)
  if (!report) throw new Error(trouble?.what)
  return report
}

const damage = ({ findings }: DoctorReport): readonly string[] => findings.filter(isDamage).map(({ code }) => code)
const light = ({ onDisk, listed, readable }: DoctorReport): string => `${onDisk} on disk · ${listed} listed · ${readable} readable`
const file = (folder: string): string => join(folder, 'countersign.db')

/**
 * Creates two closed sessions, each with a message, a call with its end, and one stored content. The first session's content is a file,
 * the second's is a row.
 */
async function filled(): Promise<{
  readonly folder: string
  readonly first: SessionId
  readonly second: SessionId
  readonly store: Store
}> {
  const folder = tempFolder()
  const store = await opened(folder, Date)
  const session = (text: string, content: Uint8Array): SessionId => {
    const id = store.sessions.create({ cwd: '/w', ...CONFIG })
    const sizes = { beforeBytes: 0, afterBytes: content.length, beforeMode: null, afterMode: 0o644, lines: null }
    const after = store.blobs.put(content)
    const changed: DurableEvent = {
      kind: 'FILES_CHANGED',
      toolCallId: CALL,
      files: [{ path: '/w/f', shown: 'f', before: null, after, ...sizes }],
    }
    store.log(id).append(input(text), callStart(CALL), changed, callEnd(CALL, 'done'), { kind: 'PROCESSING_END', reason: 'completed' })
    return id
  }
  const first = session('the first message', LARGE)
  const second = session('the second message', SMALL)
  return { folder, first, second, store }
}

async function closed(): Promise<Omit<Awaited<ReturnType<typeof filled>>, 'store'>> {
  const { store, ...rest } = await filled()
  store.close()
  return rest
}

async function indexed(folder: string): Promise<void> {
  const search = createHistorySearch(folder)
  await indexAll(search)
  await search.close()
}

function change(path: string, sql: string): void {
  const db = new Database(path)
  db.exec(sql)
  db.close()
}

const largeFile = (folder: string): string => {
  const [found] = readdirSync(join(folder, 'blobs'), { recursive: true, encoding: 'utf8' }).filter((name) => /[0-9a-f]{64}$/u.test(name))
  return join(folder, 'blobs', found ?? '')
}

/** Returns every file in a folder with its bytes, except the report, the repair lock and the files that change when a database is read. */
const contents = (folder: string): ReadonlyMap<string, string> =>
  new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/-shm$|-wal$|^doctor\.json$|^repair$/u.test(entry.name))
      .map((entry) => [join(entry.parentPath, entry.name), readFileSync(join(entry.parentPath, entry.name), 'latin1')]),
  )

describe('the doctor', () => {
  it('finds nothing wrong in an intact folder, reads all of it, and changes nothing', async () => {
    const { folder } = await closed()
    await indexed(folder)
    const before = contents(folder)
    const report = await checked(folder)
    expect(report.findings).toEqual([])
    expect(light(report)).toBe('2 on disk · 2 listed · 2 readable')
    expect(report).toMatchObject({ events: 12, blobs: 2, blobBytes: LARGE.length + SMALL.length, version: '1.0.0' })
    expect(contents(folder)).toEqual(before)
  })

  it('works while sessions run, and does not report unfinished writes as damage', async () => {
    const { folder, first, store } = await filled()
    const running = doctorOf(folder).run(false)
    for (let n = 0; n < 200; n++) store.log(first).append(input(`message ${n}`))
    const { report } = await running
    expect(report?.findings).toEqual([])
  })

  it('reports missing bytes of committed, staged and unstaged files', async () => {
    const { folder, store, second } = await filled()
    const lost = (digit: string): BlobHash => BlobHash.parse(digit.repeat(64))
    const files = (digit: string) => [{ status: 'M', path: 'f', stored: { before: null, after: lost(digit) } }]
    const commit = { hash: 'c'.repeat(40), subject: 's', author: 'a', files: files('1') }
    const git = {
      head: null,
      commits: [commit],
      more: false,
      lost: [],
      refs: [],
      begun: null,
      staged: files('2'),
      unstaged: files('3'),
    }
    const outcome = { effects: [], changeSet: null, result: null, tail: '', exitCode: 0, durationMs: 1, git }
    const ended = { kind: 'COPY_ENDED', toolCallId: CALL, ...outcome, blocked: [], leftOut: [], dropped: null } as const
    store.log(second).append(input('again'), callStart(CALL), ended, callEnd(CALL, 'done'), { kind: 'PROCESSING_END', reason: 'completed' })
    store.close()
    const { findings } = await checked(folder)
    expect(findings).toMatchObject([{ code: 'doctor_blob_missing', what: expect.stringContaining('3 stored contents of session') }])
  })

  it('finds nothing wrong in a folder without a history, and writes nothing there but the report', async () => {
    const folder = tempFolder()
    expect(await checked(folder)).toMatchObject({ onDisk: 0, listed: 0, readable: 0, findings: [] })
    expect(readdirSync(folder)).toEqual(['doctor.json'])
  })

  it.each([
    ['a flipped byte in a blob file', (folder: string) => flip(largeFile(folder), 100), 'doctor_blob'],
    ['a changed blob in the database', (folder: string) => change(file(folder), `UPDATE blobs SET bytes = x'00'`), 'doctor_blob'],
    ['a missing blob file', (folder: string) => rmSync(largeFile(folder)), 'doctor_blob_missing'],
    ['a blob missing from the database', (folder: string) => change(file(folder), 'DELETE FROM blobs'), 'doctor_blob_missing'],
    [
      'an event that was deleted from the middle of a log',
      (folder: string) => change(file(folder), `DELETE FROM events WHERE seq = 2`),
      'doctor_gap',
    ],
    [
      'a call’s end without its start',
      (folder: string) =>
        change(file(folder), `UPDATE events SET event = '{"kind":"STOP_REQUESTED"}' WHERE event ->> 'kind' = 'TOOL_CALL_START'`),
      'doctor_pair',
    ],
    ['a missing row of the session list', (folder: string) => change(file(folder), `DELETE FROM sessions WHERE cursor < 8`), 'doctor_list'],
    [
      'a wrong row of the session list',
      (folder: string) => change(file(folder), `UPDATE sessions SET title = 'another' WHERE cursor < 8`),
      'doctor_list',
    ],
    [
      'an event that cannot be parsed',
      (folder: string) => change(file(folder), `UPDATE events SET event = substr(event, 1, 20) WHERE seq = 2`),
      'doctor_event',
    ],
  ])('reports %s, with what is kept and what to do', async (_, harm, code) => {
    const { folder } = await closed()
    harm(folder)
    const report = await checked(folder)
    expect(damage(report)).toContain(code)
    const finding = report.findings.find((one) => one.code === code)
    expect(finding?.kept).not.toBe('')
    expect(finding?.todo).not.toBe('')
  })

  it('lists the sessions in overwritten database pages, and reads all other sessions', async () => {
    const { folder, first, second, store } = await filled()
    for (let n = 0; n < 300; n++) store.log(first).append(input(`${n} ${'x'.repeat(2_000)}`))
    store.close()
    const pages = Math.floor(statSync(file(folder)).size / 4096)
    const handle = openSync(file(folder), 'r+')
    for (let page = Math.floor(pages * 0.4); page < pages * 0.5; page++) writeSync(handle, Buffer.alloc(4096, 0xee), 0, 4096, page * 4096)
    closeSync(handle)
    const report = await checked(folder)
    expect(damage(report)).toContain('doctor_database')
    expect(report.unreadable).toEqual([first])
    expect(report.unreadable).not.toContain(second)
    expect(light(report)).toBe('2 on disk · 2 listed · 1 readable')
  })

  it('reads every event from a journal without its index', async () => {
    const { folder } = await filled()
    const copy = tempFolder()
    cpSync(folder, copy, { recursive: true })
    rmSync(`${file(copy)}-shm`)
    expect(statSync(`${file(copy)}-wal`).size).toBeGreaterThan(0)
    expect(await checked(copy)).toMatchObject({ events: 12, readable: 2, findings: [] })
  })

  it('reads a newer version’s history without changing it', async () => {
    const { folder } = await closed()
    change(file(folder), 'PRAGMA user_version = 99')
    const before = contents(folder)
    const report = await checked(folder)
    expect(light(report)).toBe('2 on disk · 2 listed · 2 readable')
    expect(report.findings.map(({ code }) => code)).toEqual(['doctor_newer'])
    expect((await checked(folder, true)).repaired).toEqual(['There was nothing to repair.'])
    expect(contents(folder)).toEqual(before)
  })

  it('reports a file that is not a database, and still checks the blobs beside it', async () => {
    const { folder } = await closed()
    writeFileSync(file(folder), 'these are not the bytes of a database\n'.repeat(300))
    const report = await checked(folder)
    expect(damage(report)).toEqual(['storage_not_a_database'])
    expect(report.blobs).toBe(1)
  })

  it('reports locks of killed processes as a note, not as damage', async () => {
    const { folder } = await closed()
    const left = join(folder, 'leases', 'dead.lock')
    writeFileSync(left, '')
    utimesSync(left, new Date(0), new Date(0))
    const report = await checked(folder)
    expect(report.findings.map(({ code }) => code)).toEqual(['doctor_leftover'])
    expect(damage(report)).toEqual([])
  })
})

const canMount = ((): boolean => {
  const disk = smallDisk(1)
  disk?.remove()
  return disk !== null
})()

describe.skipIf(!canMount)(`the doctor on a disk that is mounted read-only (${NO_SMALL_DISK})`, () => {
  it('reads everything, says that nothing can be written, and repairs nothing', async () => {
    const disk = smallDisk(16)
    if (!disk) throw new Error(NO_SMALL_DISK)
    onTestFinished(() => disk.remove())
    const { folder } = await closed()
    const data = join(disk.path, 'data')
    cpSync(folder, data, { recursive: true })
    execFileSync('mount', ['-o', 'remount,ro', disk.path])
    const report = await checked(data, true)
    expect(light(report)).toBe('2 on disk · 2 listed · 2 readable')
    expect(damage(report)).toEqual(['doctor_read_only'])
    expect(report.repaired).toEqual(['There was nothing to repair.'])
    expect(existsSync(join(data, 'doctor.json'))).toBe(false)
  })
})

describe('a repair', () => {
  it('sets a damaged event aside with its text, so that the session can be opened again', async () => {
    const { folder, first } = await closed()
    change(file(folder), `UPDATE events SET event = substr(event, 1, 20) WHERE seq = 2`)
    const report = await checked(folder, true)
    expect(report.repaired).toEqual([expect.stringContaining('One damaged event')])
    expect(report.findings).toEqual([])
    expect(light(report)).toBe('2 on disk · 2 listed · 2 readable')
    const [line = ''] = readFileSync(join(folder, 'set-aside.jsonl'), 'utf8').split('\n')
    expect(JSON.parse(line)).toEqual({ sessionId: first, seq: 2, event: expect.stringMatching(/^\{"kind":"USER_INPUT"/u) })
    const store = await opened(folder)
    expect([...store.log(first).read()].map(({ event }) => event.kind)).toContain('WARNING')
    expect(store.ledger.snapshot(first, 10)?.items.map(({ kind }) => kind)).toContain('call')
  })

  it('rebuilds rows of the list from the log', async () => {
    const { folder, first } = await closed()
    change(file(folder), `DELETE FROM sessions WHERE session_id = '${first}'`)
    expect(light(await checked(folder))).toBe('2 on disk · 1 listed · 2 readable')
    const report = await checked(folder, true)
    expect(report.findings).toEqual([])
    expect(light(report)).toBe('2 on disk · 2 listed · 2 readable')
  })

  it.each([
    ['lacks an event', (folder: string) => change(join(folder, 'search.db'), 'DELETE FROM texts WHERE seq = 2')],
    ['is no database', (folder: string) => writeFileSync(join(folder, 'search.db'), 'not a database\n'.repeat(500))],
  ])('rebuilds a search index that %s', async (_, harm) => {
    const { folder } = await closed()
    await indexed(folder)
    harm(folder)
    for (const end of ['-wal', '-shm']) rmSync(join(folder, `search.db${end}`), { force: true })
    expect(damage(await checked(folder))).toEqual(['doctor_search'])
    const report = await checked(folder, true)
    expect(report.findings).toEqual([])
    expect(existsSync(join(folder, 'search.db'))).toBe(false)
    await indexed(folder)
    expect((await checked(folder)).findings).toEqual([])
  })
})

describe('a repair has the data folder to itself', () => {
  const event = (folder: string) => change(file(folder), `UPDATE events SET event = substr(event, 1, 20) WHERE seq = 2`)

  it('does not begin while another process repairs or has the folder open', async () => {
    const { folder } = await closed()
    event(folder)
    const other = startChild('repairer', [folder])
    expect(await other.next()).toEqual({ kind: 'got' })
    expect((await doctorOf(folder).run(true)).trouble).toMatchObject({ code: 'repair_shared' })
    await other.kill()
    const user = startChild('claim-holder', [folder, 's'])
    await user.next()
    const isShared = () => hasLiveHolders(Database, join(folder, 'leases'), null)
    const refused = await doctorOf(folder, '1.0.0', isShared).run(true)
    expect(refused).toMatchObject({ report: null, trouble: { code: 'repair_shared', kept: 'Everything is unchanged.' } })
    expect(existsSync(join(folder, 'set-aside.jsonl'))).toBe(false)
    await user.kill()
    expect((await doctorOf(folder, '1.0.0', isShared).run(true)).report?.repaired).toEqual([expect.stringContaining('One damaged event')])
  })

  it('a repair that cannot begin is reported, and the next check works', async () => {
    const { folder } = await closed()
    rmSync(join(folder, 'leases'), { recursive: true })
    writeFileSync(join(folder, 'leases'), '')
    const doctor = doctorOf(folder)
    expect(await doctor.run(true)).toMatchObject({
      running: null,
      trouble: { code: 'doctor_failed', what: expect.stringContaining('could not be repaired: ') },
    })
    rmSync(join(folder, 'leases'))
    expect(await doctor.run(false)).toMatchObject({ running: null, trouble: null, report: { events: 12 } })
  })

  it('another process opens the store only when the repair has ended, however it ends', async () => {
    const { folder } = await closed()
    const repairer = startChild('repairer', [folder])
    await repairer.next()
    const refused = await openStore(folder, { lockTimeoutMs: 1 })
    expect(refused).toMatchObject({ ok: false, failure: { code: 'storage_in_repair' } })
    expect(hasLiveHolders(Database, join(folder, 'leases'), null)).toBe(false)
    const opening = opened(folder)
    await repairer.kill('SIGKILL')
    expect((await opening).sessions.list()).toHaveLength(2)
  })
})

describe('the doctor runs automatically', () => {
  it('after an update, but not again in the same version', async () => {
    const { folder } = await closed()
    await checked(folder)
    const updated = doctorOf(folder, '1.1.0')
    const done = new Promise<void>((resolve) => {
      updated.onChange(() => updated.state().report?.version === '1.1.0' && resolve())
    })
    updated.runIfDue()
    await done
    const again = doctorOf(folder, '1.1.0')
    let changes = 0
    again.onChange(() => changes++)
    again.runIfDue()
    await again.close()
    expect(changes).toBe(0)
    expect(again.state().report?.version).toBe('1.1.0')
  })

  it('after a process has exited without closing its store', async () => {
    const { folder } = await closed()
    await checked(folder)
    const left = join(folder, 'leases', 'dead.lock')
    writeFileSync(left, '')
    utimesSync(left, new Date(0), new Date(0))
    const store = await opened(folder, Date)
    store.close()
    expect(existsSync(left)).toBe(false)
    expect(existsSync(join(folder, 'doctor-wanted'))).toBe(true)
    await checked(folder)
    expect(existsSync(join(folder, 'doctor-wanted'))).toBe(false)
  })
})

function flip(path: string, at: number): void {
  const bytes = readFileSync(path)
  bytes[at] = (bytes[at] ?? 0) ^ 1
  writeFileSync(path, bytes)
}
