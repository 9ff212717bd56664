import { mkdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { BlobHash } from '../../../shared/lib/ids.ts'
import type { Effect } from '../../../shared/session/effects.ts'
import type { DurableEvent } from '../../../shared/session/events.ts'
import { call, calls, say } from '../../support/scripted-model.ts'
import { answer, executing, input } from '../support/events.ts'
import { answerCall, openRig, type Rig, waiting } from '../support/rig.ts'
import { scriptedProvider } from '../support/scripted-provider.ts'

const write = (path: string, content: string) => call('write_file', { file_path: path, content })
const read = (path: string) => call('read_file', { file_path: path })
const edit = (path: string, from: string, to: string) => call('edit_file', { file_path: path, old_string: from, new_string: to })
const shell = (command: string) => call('shell', { command })

/**
 * A dead process is simulated by a log that no longer grows: the events stored up to that moment are copied into the log of a new
 * session, and another process takes over that session. (`test/sessions/kill.slow.test.ts` really kills processes.)
 */
async function diedAfter(rig: Rig, last: (event: DurableEvent) => boolean): Promise<readonly DurableEvent[]> {
  const events = rig.events()
  return events.slice(0, events.findIndex(last) + 1)
}

async function leftBehind(provider: ReturnType<typeof scriptedProvider>, events: readonly DurableEvent[], from?: Rig): Promise<Rig> {
  const rig = await openRig(provider, { isLeftBehind: true })
  if (from) for (const event of events) if (event.kind !== 'SESSION_START') keepBlobs(event, from, rig)
  const [first, ...rest] = events.filter(({ kind }) => kind !== 'SESSION_START')
  if (first) rig.store.log(rig.sessionId).append(first, ...rest)
  return rig
}

function keepBlobs(event: DurableEvent, from: Rig, to: Rig): void {
  for (const hash of JSON.stringify(event).match(/\b[0-9a-f]{64}\b/gu) ?? []) {
    if (from.store.blobs.has(hash as never)) to.store.blobs.put(from.store.blobs.get(hash as never))
  }
}

const kinds = (rig: Rig, after: number) => rig.kinds().slice(after)

/** Returns the events of a write that has begun, as they are stored before the write ends. */
async function begunWrite(before: string | null): Promise<{ readonly rig: Rig; readonly path: string }> {
  const provider = scriptedProvider([calls(read('a.txt')), calls(write('a.txt', 'signed\n')), say('Done.')])
  const rig = await openRig(provider)
  const path = join(rig.folder, 'a.txt')
  if (before !== null) await writeFile(path, before)
  rig.session.submit('go')
  const [asked] = await waiting(rig.session)
  await rig.session.suspend()
  const log = rig.store.log(rig.sessionId)
  if (!asked?.approval) throw new Error('Nothing waits.')
  const { toolCallId } = asked
  log.append(
    { kind: 'APPROVAL_ANSWERED', approvalId: asked.approval.approvalId, toolCallId, answer: { kind: 'signed' } },
    { kind: 'TOOL_EXECUTION_START', toolCallId, signedBy: { kind: 'person' }, effects: asked.effects },
  )
  return { rig, path }
}
const lastEnd = (rig: Rig) => rig.events().findLast((event) => event.kind === 'TOOL_CALL_END')

/** Runs until a request waits, and stores an answer to it while nobody runs the session. */
async function answeredMeanwhile(rig: Rig, answer: Extract<DurableEvent, { kind: 'APPROVAL_ANSWERED' }>['answer']): Promise<void> {
  rig.session.submit('go')
  const [asked] = await waiting(rig.session)
  await rig.session.suspend()
  const { approvalId } = asked?.approval ?? {}
  if (!asked || !approvalId) throw new Error('Nothing waits.')
  rig.store.log(rig.sessionId).append({ kind: 'APPROVAL_ANSWERED', approvalId, toolCallId: asked.toolCallId, answer })
}

describe('taking over a session whose process died', () => {
  test.each([
    ['unchanged', 'before\n', 'before\n', 'a.txt is unchanged.', 0],
    ['written as signed', 'before\n', 'signed\n', 'a.txt has the signed content.', 1],
    ['half written', 'before\n', 'sigore\n', 'a.txt has neither its earlier nor the signed content.', 1],
    ['written but not yet shortened', 'before, longer\n', 'signed\n longer\n', 'a.txt has neither its earlier nor the signed content.', 1],
    ['new and written as signed', null, 'signed\n', 'a.txt has the signed content.', 1],
    ['new and was not written', null, null, 'a.txt is unchanged.', 0],
  ])('a write was interrupted, and the agent learns that the file is %s', async (_, before, now, words, changes) => {
    const { rig, path } = await begunWrite(before)
    if (now === null) await rm(path, { force: true })
    else await writeFile(path, now)
    const count = rig.events().length
    const session = await rig.takeOver()
    expect(kinds(rig, count)).toEqual([...(changes ? ['FILES_CHANGED'] : []), 'TOOL_CALL_END', 'PROCESSING_END'])
    expect(lastEnd(rig)).toMatchObject({
      outcome: 'interrupted',
      isError: true,
      output: words,
      modelText: `Interrupted: Countersign ended while this ran; the outcome is unknown.\n${words}`,
      durationMs: null,
    })
    const files = rig.events().flatMap((event) => (event.kind === 'FILES_CHANGED' ? event.files : []))
    expect(files.map(({ after }) => after && new TextDecoder().decode(rig.store.blobs.get(after)))).toEqual(changes ? [now] : [])
    expect([session.state().run, session.state().ended]).toEqual(['IDLE', 'interrupted'])
    expect(now === null ? null : await readFile(path, 'utf8')).toBe(now)
  })

  test.each([
    ['changed the file', 'before\n', 'signed\nand mine\n'],
    ['changed the file that the step had not written', 'before\n', 'before\nand mine\n'],
    ['created the file', null, 'mine\n'],
  ])('an undo of an interrupted write keeps the bytes of a user who %s before the restart', async (_, before, mine) => {
    const { rig, path } = await begunWrite(before)
    await writeFile(path, mine)
    const session = await rig.takeOver()
    expect(lastEnd(rig)).toMatchObject({ output: 'a.txt has neither its earlier nor the signed content.' })
    const target = { kind: 'to', step: 0 } as const
    const { plan, files, skipped } = await rig.undo.preview(target)
    expect([files, skipped]).toMatchObject([[], [{ shown: 'a.txt', why: 'changed-since' }]])
    await rig.undo.run(session.record, { target, plan, anyway: [], choices: [] })
    expect(await readFile(path, 'utf8')).toBe(mine)
  })

  test.each([
    ['a file in place of a link', 'link', 'file'],
    ['a link in place of a file', 'file', 'link'],
    ['a link in place of another link', 'link', 'link'],
    ['nothing in place of a link', 'link', 'none'],
  ] as const)('what a command changed before the process died can be undone: %s', async (_, before, after) => {
    const rig = await leftBehind(scriptedProvider([]), [])
    const path = join(rig.folder, 'a')
    const at = { path, shown: 'a', outside: false, control: false, ownData: false } as const
    const [old, signed] = [Buffer.from('old'), Buffer.from('signed')].map((bytes) => rig.store.blobs.put(bytes)) as [BlobHash, BlobHash]
    const targetIf = (kind: string, target: string): string | null => (kind === 'link' ? target : null)
    const link: Effect = { kind: 'link', ...at, before: targetIf(before, 'old'), after: targetIf(after, 'signed') }
    const sizes = { beforeBytes: 3, afterBytes: 6, lines: { added: 1, removed: 0 } }
    const file: readonly Effect[] =
      after === 'file'
        ? [{ kind: 'write', ...at, before: null, after: signed, ...sizes, beforeBytes: 0 }]
        : before === 'file'
          ? [{ kind: 'delete', ...at, before: old, beforeBytes: 3 }]
          : []
    const command = { kind: 'command', command: 'x', cwd: rig.folder, outside: false, env: {}, timeoutMs: 1, destructive: false } as const
    rig.store
      .log(rig.sessionId)
      .append(
        input('go'),
        answer([{ kind: 'tool_call', toolCallId: 'c1' as never, toolName: 'shell', argsText: '{"command":"x"}' }]),
        { kind: 'TOOL_CALL_START', toolCallId: 'c1' as never, toolName: 'shell', args: { command: 'x' } },
        { ...executing('c1'), effects: [{ ...command, sandbox: 'copy' }, link, ...file] },
      )
    if (after === 'file') await writeFile(path, 'signed')
    if (after === 'link') await symlink('signed', path)
    const session = await rig.takeOver()
    const [change] = rig.events().flatMap((event) => (event.kind === 'FILES_CHANGED' ? event.files : []))
    expect(change).toMatchObject({ path, before: old, after: after === 'none' ? null : signed })
    const target = { kind: 'step', step: 1 } as const
    const { plan } = await rig.undo.preview(target)
    await rig.undo.run(session.record, { target, plan, anyway: [], choices: [] })
    expect(await (before === 'link' ? readlink(path) : readFile(path, 'utf8'))).toBe('old')
  })

  test('a started command is never run again (security 3.1)', async () => {
    const provider = scriptedProvider([say('I see.')])
    const rig = await leftBehind(provider, [
      input('go'),
      answer([{ kind: 'tool_call', toolCallId: 'c1' as never, toolName: 'shell', argsText: '{"command":"touch ran.txt"}' }]),
      { kind: 'TOOL_CALL_START', toolCallId: 'c1' as never, toolName: 'shell', args: { command: 'touch ran.txt' } },
      executing('c1'),
    ])
    const session = await rig.takeOver()
    session.resume()
    await session.idle()
    await expect(readFile(join(rig.folder, 'ran.txt'))).rejects.toThrow('ENOENT')
    expect(provider.requests[0]?.turns.at(-1)).toMatchObject({
      results: [{ isError: true, output: 'Interrupted: Countersign ended while this ran; the outcome is unknown.' }],
    })
  })

  test('a turn that waited for the model is interrupted, and Resume sends the same request again', async () => {
    const provider = scriptedProvider([say('Hello.')])
    const rig = await leftBehind(provider, [input('go')])
    const session = await rig.takeOver()
    expect([session.state().run, session.state().ended, provider.requests.length]).toEqual(['IDLE', 'interrupted', 0])
    session.resume()
    await session.idle()
    expect(provider.requests[0]?.turns).toEqual([{ kind: 'user', content: 'go' }])
  })

  test('Resume runs unfinished reads again', async () => {
    const first = scriptedProvider([calls(call('read_file', { file_path: 'a.txt' }))])
    const before = await openRig(first)
    before.session.submit('go')
    await before.session.idle()
    const provider = scriptedProvider([say('Done.')])
    const rig = await leftBehind(provider, await diedAfter(before, ({ kind }) => kind === 'TOOL_CALL_START'), before)
    await writeFile(join(rig.folder, 'a.txt'), 'text')
    const session = await rig.takeOver()
    expect(session.state().ended).toBe('interrupted')
    session.resume()
    await session.idle()
    expect(provider.requests[0]?.turns.at(-1)).toMatchObject({ results: [{ output: '     1\ttext', isError: false }] })
  })

  test('a call that was signed but not started runs once, on Resume', async () => {
    const provider = scriptedProvider([calls(shell('echo x >> count.txt')), say('Done.')])
    const rig = await openRig(provider)
    await answeredMeanwhile(rig, { kind: 'signed' })
    const session = await rig.takeOver()
    expect([session.state().run, session.state().ended]).toEqual(['IDLE', 'interrupted'])
    await expect(readFile(join(rig.folder, 'count.txt'))).rejects.toThrow('ENOENT')
    session.resume()
    await session.idle()
    expect(await readFile(join(rig.folder, 'count.txt'), 'utf8')).toBe('x\n')
  })

  test('a request survives a restart if its effect would still be the same', async () => {
    const provider = scriptedProvider([calls(edit('a.txt', 'old', 'new'), shell('touch made'))])
    const rig = await openRig(provider)
    await writeFile(join(rig.folder, 'a.txt'), 'old\n')
    rig.session.submit('go')
    const asked = await waiting(rig.session, 2)
    await rig.session.suspend()
    const count = rig.events().length
    const same = await rig.takeOver()
    expect(kinds(rig, count)).toEqual([])
    await same.suspend()
    await writeFile(join(rig.folder, 'a.txt'), 'old\nand more\n')
    const session = await rig.takeOver()
    expect(kinds(rig, count)).toEqual(['APPROVAL_ANSWERED', 'APPROVAL_REQUESTED'])
    expect(session.state().run).toBe('AWAITING_INPUT')
    expect(answerCall(session, asked[0])).toMatchObject({ why: 'withdrawn' })
    const now = session.state().items.map((item) => item.kind === 'call' && item.approval?.approvalId)
    expect(now).toEqual([expect.not.stringMatching(asked[0]?.approval?.approvalId ?? ''), asked[1]?.approval?.approvalId])
  })

  test('a request whose call has become impossible is withdrawn, and the call fails on Resume', async () => {
    const provider = scriptedProvider([calls(edit('a.txt', 'old', 'new'), shell('touch made')), say('I see.')])
    const rig = await openRig(provider)
    await writeFile(join(rig.folder, 'a.txt'), 'old\n')
    rig.session.submit('go')
    const asked = await waiting(rig.session, 2)
    await rig.session.suspend()
    await writeFile(join(rig.folder, 'a.txt'), 'something else\n')
    const session = await rig.takeOver()
    expect(answerCall(session, asked[0])).toMatchObject({ why: 'withdrawn' })
    answerCall(session, asked[1])
    await session.idle()
    expect(rig.events().flatMap((event) => (event.kind === 'TOOL_CALL_END' ? [[event.toolCallId, event.outcome]] : []))).toEqual([
      ['toolu_1', 'failed'],
      ['toolu_2', 'done'],
    ])
  })

  test('a new message instead of Resume ends the open calls, and every call has a result', async () => {
    const provider = scriptedProvider([calls(shell('touch ran.txt')), say('Done.')])
    const rig = await openRig(provider)
    await answeredMeanwhile(rig, { kind: 'signed' })
    const session = await rig.takeOver()
    session.submit('something else')
    await session.idle()
    await expect(readFile(join(rig.folder, 'ran.txt'))).rejects.toThrow('ENOENT')
    expect(provider.requests[1]?.turns.map(({ kind }) => kind)).toEqual(['user', 'assistant', 'tool_results', 'user'])
  })

  test('a refusal stored before the call ended is reported to the model', async () => {
    const provider = scriptedProvider([calls(write('a.txt', 'new\n')), say('I see.')])
    const rig = await openRig(provider)
    await answeredMeanwhile(rig, { kind: 'refused', note: 'too early', by: 'person' })
    const session = await rig.takeOver()
    session.resume()
    await session.idle()
    expect(provider.requests[1]?.turns.at(-1)).toMatchObject({ results: [{ output: expect.stringContaining('too early') as unknown }] })
  })

  test('a queued message of a dead process becomes the next request, and held messages stay held', async () => {
    const provider = scriptedProvider([say('Here I am.')])
    const left: DurableEvent = { kind: 'INPUT_QUEUED', inputId: 'in_1', text: 'Are you there?', delivery: 'queue' }
    const rig = await leftBehind(provider, [left])
    const session = await rig.takeOver()
    await session.idle()
    expect(session.state().items.at(-1)).toMatchObject({ kind: 'prose', text: 'Here I am.' })

    const stopped = await leftBehind(scriptedProvider([]), [input('go'), left, { kind: 'PROCESSING_END', reason: 'stopped' }])
    const before = stopped.events()
    const { queue, run } = (await stopped.takeOver()).state()
    await Promise.resolve()
    expect([queue.map(({ held }) => held), run, stopped.events()]).toEqual([[true], 'IDLE', before])
  })

  test('an idle session is left unchanged', async () => {
    const provider = scriptedProvider([say('Done.')])
    const rig = await openRig(provider)
    rig.session.submit('go')
    await rig.session.idle()
    await rig.session.suspend()
    const before = rig.events()
    await rig.takeOver()
    expect(rig.events()).toEqual(before)
  })

  test('the session survives a missing folder: started calls are interrupted, and waiting calls keep waiting (fault 22)', async () => {
    const { rig, path } = await begunWrite('before\n')
    await rm(rig.folder, { recursive: true })
    const session = await rig.takeOver()
    expect(session.state().ended).toBe('interrupted')
    expect(lastEnd(rig)).toMatchObject({ outcome: 'interrupted' })
    await mkdir(rig.folder)
    await expect(readFile(path)).rejects.toThrow('ENOENT')
  })
})
