import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { DATABASE_FILE } from '../../main/store/file-names.ts'
import { emptySession, fold } from '../../shared/session/fold/fold.ts'
import type { SessionState } from '../../shared/session/state.ts'
import { call, calls, gate, say } from '../support/scripted-model.ts'
import { answerCall, openRig, type Rig, waiting } from './support/rig.ts'
import { scriptedProvider } from './support/scripted-provider.ts'

/** Makes the database refuse every write to these tables until `allow` is called, as a full disk does. */
function refuseWrites(rig: Rig, tables: readonly string[] = ['events']): { allow(): void } {
  const db = new Database(join(rig.data, DATABASE_FILE))
  onTestFinished(() => void db.close())
  for (const table of tables) db.exec(`CREATE TRIGGER no_${table} BEFORE INSERT ON ${table} BEGIN SELECT RAISE(FAIL, 'no space'); END`)
  return { allow: () => tables.forEach((table) => db.exec(`DROP TRIGGER no_${table}`)) }
}

/** A disk that fails from `breaks` on until the function that it returns is called. A reader keeps the journal from being moved into the file. */
function breakableDisk() {
  let fails = false
  return {
    sync: () => (fails ? Promise.reject(Object.assign(new Error('EIO: i/o error'), { code: 'EIO' })) : Promise.resolve()),
    breaks(rig: Rig): () => void {
      fails = true
      const reader = new Database(join(rig.data, DATABASE_FILE))
      onTestFinished(() => void reader.close())
      reader.exec('BEGIN')
      reader.prepare('SELECT count(*) FROM events').get()
      return () => {
        fails = false
        reader.exec('COMMIT')
      }
    },
  }
}

/** Returns the state that a window folds from the events that it receives. */
function watched(rig: Rig): () => SessionState {
  let state = [...rig.session.record.read()].reduce((before, envelope) => fold(before, envelope), emptySession(rig.sessionId))
  rig.session.record.subscribe((envelope) => {
    state = fold(state, envelope)
  })
  return () => state
}
const shell = (command: string) => call('shell', { command })
const stored = (rig: Rig) => [...rig.store.log(rig.sessionId).read()].map(({ event }) => event.kind)
const savedAgain = (rig: Rig) => new Promise<void>((resolve) => rig.store.onTrouble((trouble) => trouble === null && resolve()))
/** Returns the items without their ids and times, because an unsaved event has temporary ids and times until it is stored. */
const items = ({ items: all }: SessionState) =>
  all.map((item) => ({ ...item, id: '', at: 0, ...(item.kind === 'call' ? { endedAt: 0, startedAt: 0, approval: null } : {}) }))

describe('while nothing can be stored (D-55, fault 54)', () => {
  test('the conversation continues in memory, and is stored exactly once and in order when storage works again', async () => {
    const provider = scriptedProvider([say('One.'), calls(call('read_file', { file_path: 'a.txt' })), say('Two.'), say('Three.')])
    const rig = await openRig(provider)
    const screen = watched(rig)
    rig.session.submit('before')
    await rig.session.idle()
    const before = stored(rig)
    const { allow } = refuseWrites(rig)
    rig.session.submit('meanwhile')
    expect((await rig.session.idle()).ended).toBe('completed')
    expect(stored(rig)).toEqual(before)
    expect(rig.session.record.trouble()).toMatchObject({ code: 'storage_failed', what: expect.stringContaining('no space') as unknown })
    expect(screen().items.map(({ kind }) => kind)).toEqual(['user', 'prose', 'user', 'call', 'prose'])
    allow()
    // The app stores the events by itself, before the user sends anything else.
    await savedAgain(rig)
    expect(rig.session.record.trouble()).toBeNull()
    expect(stored(rig)).toEqual([
      ...before,
      'USER_INPUT',
      'ASSISTANT_TURN',
      'USAGE',
      'TOOL_CALL_START',
      'TOOL_CALL_END',
      'ASSISTANT_TURN',
      'USAGE',
      'PROCESSING_END',
    ])
    rig.session.submit('after')
    await rig.session.idle()
    expect(items(screen())).toEqual(items(rig.replay()))
    expect(provider.requests[3]?.turns.map(({ kind }) => kind)).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
      'tool_results',
      'assistant',
      'user',
    ])
  })

  test('a step needs an explicit signature even in full mode, and the request says that the step cannot be saved', async () => {
    const provider = scriptedProvider([calls(shell('touch ran.txt')), calls(shell('touch ran.txt')), say('Done.')])
    const rig = await openRig(provider, { mode: 'full' })
    refuseWrites(rig)
    rig.session.submit('go')
    const [first] = await waiting(rig.session)
    expect(first?.approval?.reason).toMatch(/no space.*without being saved in the history\.$/s)
    answerCall(rig.session, first, null)
    const second = await rig.session.record.until(() => {
      const call = rig.session.state().items.at(-1)
      return call?.kind === 'call' && call.status === 'waiting' && call.toolCallId !== first?.toolCallId ? call : null
    }, new AbortController().signal)
    await expect(readFile(join(rig.folder, 'ran.txt'))).rejects.toThrow('ENOENT')
    expect(answerCall(rig.session, second)).toEqual({ kind: 'accepted' })
    await rig.session.idle()
    expect(await readFile(join(rig.folder, 'ran.txt'), 'utf8')).toBe('')
  })

  test('if storage fails between signature and step, the step does not run until it is signed again', async () => {
    const provider = scriptedProvider([calls(shell('echo x >> ran.txt')), say('Done.')])
    const rig = await openRig(provider)
    rig.session.submit('go')
    const [asked] = await waiting(rig.session)
    answerCall(rig.session, asked)
    // The user's answer is stored, but the step has not begun yet, because the turn continues asynchronously.
    const { allow } = refuseWrites(rig)
    const [again] = await waiting(rig.session)
    expect(again?.approval?.reason).toMatch(/without being saved/)
    await expect(readFile(join(rig.folder, 'ran.txt'))).rejects.toThrow('ENOENT')
    allow()
    answerCall(rig.session, again)
    await rig.session.idle()
    expect(await readFile(join(rig.folder, 'ran.txt'), 'utf8')).toBe('x\n')
    await rig.session.suspend()
    expect(stored(rig).filter((kind) => kind === 'TOOL_EXECUTION_START').length).toBe(1)
  })

  test('a step does not run until its record is on the disk', async () => {
    const disk = gate()
    const rig = await openRig(scriptedProvider([calls(shell('touch ran.txt')), say('Done.')]), { mode: 'full', sync: () => disk.opened })
    rig.session.submit('go')
    await rig.session.record.until(() => (stored(rig).includes('TOOL_EXECUTION_START') ? true : null), new AbortController().signal)
    await new Promise((resolve) => setTimeout(resolve, 100))
    await expect(readFile(join(rig.folder, 'ran.txt'))).rejects.toThrow('ENOENT')
    disk.open()
    await rig.session.idle()
    expect(await readFile(join(rig.folder, 'ran.txt'), 'utf8')).toBe('')
  })

  test('if its record cannot be synced, a step does not run until it is signed again', async () => {
    const disk = breakableDisk()
    const provider = scriptedProvider([calls(shell('echo x >> ran.txt')), say('Done.')])
    const rig = await openRig(provider, { mode: 'full', sync: disk.sync })
    const mended = disk.breaks(rig)
    rig.session.submit('go')
    const [asked] = await waiting(rig.session)
    expect(asked?.approval?.reason).toMatch(/i\/o error.*without being saved/s)
    await expect(readFile(join(rig.folder, 'ran.txt'))).rejects.toThrow('ENOENT')
    mended()
    answerCall(rig.session, asked)
    await rig.session.idle()
    expect(await readFile(join(rig.folder, 'ran.txt'), 'utf8')).toBe('x\n')
  })

  test('if its record cannot be synced, an undo changes nothing, is not resumed by a restart, and can be run again', async () => {
    const disk = breakableDisk()
    const provider = scriptedProvider([calls(call('write_file', { file_path: 'a.txt', content: 'a' })), say('Done.')])
    const rig = await openRig(provider, { mode: 'accept-edits', sync: disk.sync })
    rig.session.submit('go')
    await rig.session.idle()
    const { record } = rig.session
    const target = { kind: 'step', step: 1 } as const
    const undone = async () => {
      const { plan } = await rig.undo.preview(target)
      return rig.undo.run(record, { target, plan, anyway: [], choices: [] })
    }
    const mended = disk.breaks(rig)
    await expect(undone()).rejects.toThrow('i/o error')
    mended()
    await rig.undo.finish(record)
    expect(await readFile(join(rig.folder, 'a.txt'), 'utf8')).toBe('a')
    expect(await undone()).toMatchObject({ kind: 'done' })
    await expect(readFile(join(rig.folder, 'a.txt'))).rejects.toThrow('ENOENT')
  })

  test('a step waits while another process briefly locks the database, and then needs no signature', async () => {
    let lock = (): void => {}
    const provider = scriptedProvider((_, index) => {
      if (index > 0) return say('Done.')
      lock()
      return calls(call('write_file', { file_path: 'a.txt', content: 'a' }))
    })
    const rig = await openRig(provider, { mode: 'accept-edits' })
    const other = new Database(join(rig.data, DATABASE_FILE))
    onTestFinished(() => void other.close())
    lock = () => {
      other.exec('BEGIN IMMEDIATE')
      setTimeout(() => void other.exec('ROLLBACK'), 600)
    }
    rig.session.submit('go')
    expect((await rig.session.idle()).ended).toBe('completed')
    expect(await readFile(join(rig.folder, 'a.txt'), 'utf8')).toBe('a')
    expect(rig.kinds()).not.toContain('APPROVAL_REQUESTED')
  })

  test('an edit whose bytes cannot be stored fails, because it could not be undone', async () => {
    const provider = scriptedProvider([calls(call('write_file', { file_path: 'a.txt', content: 'a' })), say('I see.')])
    const rig = await openRig(provider, { mode: 'accept-edits' })
    rig.session.submit('go')
    refuseWrites(rig, ['events', 'blobs'])
    await rig.session.idle()
    await expect(readFile(join(rig.folder, 'a.txt'))).rejects.toThrow('ENOENT')
    expect(provider.requests[1]?.turns.at(-1)).toMatchObject({
      results: [{ isError: true, output: expect.stringContaining('no space') as unknown }],
    })
  })

  test('a turn that ends unsaved is saved when the session is suspended, if possible', async () => {
    const held = gate()
    const provider = scriptedProvider(async () => {
      await held.opened
      return say('Done.')
    })
    const rig = await openRig(provider)
    rig.session.submit('go')
    const { allow } = refuseWrites(rig)
    held.open()
    await rig.session.idle()
    allow()
    await rig.session.suspend()
    expect(stored(rig).at(-1)).toBe('PROCESSING_END')
  })
})
