import { Buffer } from 'node:buffer'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Blamer, createBlamer } from '../../main/blame/blame.ts'
import type { Store } from '../../main/store/store.ts'
import { type Blame, type LineWriter, writerOf } from '../../shared/api/changes/blame.ts'
import type { SessionId, ToolCallId } from '../../shared/lib/ids.ts'
import type { DurableEvent, ParentLink } from '../../shared/session/events.ts'
import type { Where } from '../../shared/session/settings/where.ts'
import type { FileChange, MadeBy } from '../../shared/session/file-change.ts'
import { CONFIG, callEnd, callStart, input, manualClock, opened } from '../store/support/stores.ts'
import { tempFolder } from '../store/support/temp-folder.ts'

const FILE = '/w/a.txt'

interface Rig {
  readonly store: Store
  readonly blamer: Blamer
  /** Creates a session with a request. A subagent's session also links to its parent. */
  session(request: string, parent?: ParentLink, where?: Where): SessionId
  /** Records a step that changes the file, at the current time of the clock. */
  step(sessionId: SessionId, call: string, before: string | null, after: string | null, madeBy?: MadeBy): void
  file(before: string | null, after: string | null): FileChange
}

async function rig(): Promise<Rig> {
  const folder = tempFolder()
  const clock = manualClock()
  const store = await opened(folder, clock)
  const blamer = createBlamer(folder)
  onTestFinished(() => blamer.close())
  const put = (text: string | null) => (text === null ? null : store.blobs.put(Buffer.from(text)))
  const file = (before: string | null, after: string | null): FileChange => ({
    path: FILE,
    shown: 'a.txt',
    before: put(before),
    after: put(after),
    lines: null,
    beforeBytes: before?.length ?? 0,
    afterBytes: after?.length ?? 0,
    beforeMode: null,
    afterMode: 0o644,
  })
  return {
    store,
    blamer,
    file,
    session(request, parent, where) {
      const id = store.sessions.create({ cwd: '/w', ...CONFIG, ...(parent && { parent }), ...(where && { where }) })
      store.log(id).append(input(request))
      return id
    },
    step(sessionId, call, before, after, madeBy) {
      clock.at += 1_000
      const toolCallId = call as ToolCallId
      const changed: DurableEvent = { kind: 'FILES_CHANGED', toolCallId, files: [file(before, after)], ...(madeBy && { madeBy }) }
      store.log(sessionId).append(callStart(toolCallId), changed, callEnd(toolCallId, 'done'))
    },
  }
}

async function now(blamer: Blamer, text: string, layer: SessionId | null = null): Promise<Blame> {
  const found = await blamer.blame(FILE, { kind: 'now', bytes: Buffer.from(text) }, layer)
  if (!found.ok) throw new Error(found.trouble.what)
  return found.blame
}

const all = (blame: Blame): readonly (LineWriter | null)[] => Array.from({ length: blame.lines }, (_, at) => writerOf(blame, at + 1))

describe('the writers of lines, found in the store', () => {
  it('are those on the same machine, although another one has a file with the same path', async () => {
    const { session, step, blamer, store } = await rig()
    const here = session('Here')
    step(here, 'one', null, 'a\n')
    const there = store.sessions.create({ cwd: 'ssh://box/w', ...CONFIG })
    store.log(there).append(input('There'))
    step(there, 'two', null, 'a\n')
    const writers = async (machine: string | null) => {
      const found = await blamer.blame(FILE, { kind: 'now', bytes: Buffer.from('a\n') }, null, machine)
      return found.ok && all(found.blame)
    }
    expect(await writers(null)).toMatchObject([{ sessionId: here }])
    expect(await writers('ssh://box')).toMatchObject([{ sessionId: there }])
    expect(await writers('ssh://other')).toMatchObject([{ kind: 'earlier' }])
  })

  it('are given with their session, request, step, tool, command and time, even across sessions', async () => {
    const { session, step, blamer, store } = await rig()
    const first = session('Write it')
    step(first, 'one', null, 'a\nb\n')
    const second = session('Format it')
    step(second, 'two', 'a\nb\n', 'a\nB\n', { command: 'npm run format', compared: { files: 3, leftOut: [] } })
    expect(all(await now(blamer, 'a\nB\n'))).toMatchObject([
      { kind: 'step', sessionId: first, request: 'Write it', step: 1, toolName: 'edit_file', command: null, isFound: false, at: 2_000 },
      { kind: 'step', sessionId: second, request: 'Format it', step: 1, command: 'npm run format', isFound: true, at: 3_000 },
    ])
    const writer = writerOf(await now(blamer, 'a\nB\n'), 1)
    const item = writer?.kind === 'step' ? writer.item : null
    expect(store.ledger.snapshot(first, 10)?.items[item ?? -1]).toMatchObject({ kind: 'call', toolCallId: 'one' })
  })

  it('include subagents', async () => {
    const { session, step, blamer } = await rig()
    const parent = session('Do it')
    const lease = { tokens: null, costUsd: null, minutes: null, turns: null }
    const child = session('Your task', {
      sessionId: parent,
      toolCallId: 'spawn' as ToolCallId,
      agentType: 'reviewer',
      depth: 1,
      readsOnly: false,
      lease,
    })
    step(child, 'one', null, 'a\n')
    expect(all(await now(blamer, 'a\n'))).toMatchObject([{ sessionId: child, agentType: 'reviewer' }])
  })

  it('are the subagent that wrote them, not the parent’s step that applied its changes', async () => {
    const { session, blamer, store, file } = await rig()
    const parent = session('Do it')
    const lease = { tokens: null, costUsd: null, minutes: null, turns: null }
    const link = { sessionId: parent, toolCallId: 'spawn' as ToolCallId, depth: 1, readsOnly: false, lease, ownCopy: true } as const
    const child = session('Your task', { ...link, agentType: 'reviewer' })
    session('Another task', { ...link, toolCallId: 'task' as ToolCallId, agentType: 'code' })
    const made = (toolName: string, args: Record<string, string>, before: string | null, after: string): void => {
      const toolCallId = toolName as ToolCallId
      store
        .log(parent)
        .append(
          { kind: 'TOOL_CALL_START', toolCallId, toolName, args },
          { kind: 'FILES_CHANGED', toolCallId, files: [file(before, after)] },
        )
    }
    made('wait', { agent_id: child }, null, 'a\n')
    made('task', { agent_type: 'code', prompt: 'Go' }, 'a\n', 'a\nb\n')
    expect(all(await now(blamer, 'a\nb\n'))).toMatchObject([
      { sessionId: parent, agentType: 'reviewer' },
      { sessionId: parent, agentType: 'code' },
    ])
  })

  it('name the undo for lines that it restored, and stay the same for other lines', async () => {
    const { session, step, blamer, store, file } = await rig()
    const id = session('Write it')
    step(id, 'one', null, 'a\nb\nc\n')
    step(id, 'two', 'a\nb\nc\n', 'a\nc\n')
    const rollback = { rollbackId: 'r', target: { kind: 'step', step: 2 }, skipped: [], uncovered: [] } as const
    store.log(id).append({ kind: 'ROLLED_BACK', ...rollback, files: [file('a\nc\n', 'a\nb\nc\n')] })
    expect(all(await now(blamer, 'a\nb\nc\n'))).toMatchObject([{ step: 1, kind: 'step' }, { kind: 'undo' }, { step: 1, kind: 'step' }])
  })

  it('in a fork are the same as in its source, except for lines that the fork changed', async () => {
    const { session, step, blamer, store } = await rig()
    const source = session('Write it')
    step(source, 'one', null, 'a\n')
    const fork = await store.sessions.fork(source, store.sessions.get(source)?.cursor ?? 0)
    step(fork, 'two', 'a\n', 'a\nb\n')
    expect(all(await now(blamer, 'a\nb\n'))).toMatchObject([{ sessionId: source }, { sessionId: fork }])
  })

  it('in the folder do not include what a session beside it wrote in its layer, and in the layer do not include later changes of the folder', async () => {
    const { session, step, blamer } = await rig()
    const here = session('Write it')
    step(here, 'one', null, 'a\nb\n')
    const beside = session('Try it', undefined, { kind: 'beside' })
    step(beside, 'two', 'a\nb\n', 'A\nb\n')
    step(here, 'three', 'a\nb\n', 'a\nB\n')
    expect(all(await now(blamer, 'a\nB\n'))).toMatchObject([
      { sessionId: here, at: 2_000 },
      { sessionId: here, at: 4_000 },
    ])
    expect(all(await now(blamer, 'A\nb\n', beside))).toMatchObject([
      { sessionId: beside, at: 3_000 },
      { sessionId: here, at: 2_000 },
    ])
  })

  it('in a layer include who has written in the folder what the layer got from it later', async () => {
    const { session, step, blamer } = await rig()
    const beside = session('Try it', undefined, { kind: 'beside' })
    const other = session('Sign it')
    step(other, 'one', 'a\nb\nc\n', 'a\nB\nc\n')
    // The folder shows through.
    expect(all(await now(blamer, 'a\nB\nc\n', beside))).toMatchObject([
      { kind: 'earlier' },
      { sessionId: other, at: 2_000 },
      { kind: 'earlier' },
    ])
    // The folder was taken over into the layer's own version.
    step(beside, 'two', 'a\nb\nc\n', 'a\nb\nC\n')
    expect(all(await now(blamer, 'a\nB\nC\nmine\n', beside))).toMatchObject([
      { kind: 'earlier' },
      { sessionId: other, at: 2_000 },
      { sessionId: beside, at: 3_000 },
      { kind: 'outside', since: 3_000 },
    ])
  })

  it('in the layer of a fork include those of the layer with which it began', async () => {
    const { session, step, blamer, store } = await rig()
    const source = session('Try it', undefined, { kind: 'beside' })
    step(source, 'one', null, 'a\nb\n')
    const fork = await store.sessions.fork(source, Number.MAX_SAFE_INTEGER)
    step(source, 'two', 'a\nb\n', 'A\nb\n')
    step(fork, 'three', 'a\nb\n', 'a\nB\n')
    expect(all(await now(blamer, 'a\nB\n', fork))).toMatchObject([{ sessionId: source }, { sessionId: fork }])
    expect(all(await now(blamer, 'A\nb\n', source))).toMatchObject([{ sessionId: source }, { sessionId: source }])
  })

  it('cannot be found for an unstored version, and the reason is given', async () => {
    const { blamer, session } = await rig()
    session('Nothing')
    expect(await blamer.blame(FILE, { kind: 'stored', hash: 'f'.repeat(64) as never }, null)).toMatchObject({
      ok: false,
      trouble: { code: 'version_not_stored' },
    })
    expect(await createBlamer(null).blame(FILE, { kind: 'now', bytes: null }, null)).toMatchObject({
      ok: false,
      trouble: { code: 'blame_in_memory' },
    })
  })

  it('are found for running sessions, too, including later steps', async () => {
    const { session, step, blamer } = await rig()
    const id = session('Write it')
    step(id, 'one', null, 'a\n')
    expect((await now(blamer, 'a\n')).lines).toBe(1)
    step(id, 'two', 'a\n', 'a\nb\n')
    expect(all(await now(blamer, 'a\nb\n'))).toMatchObject([{ step: 1 }, { step: 2 }])
  })
})
