import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { OpenedSession } from '../../main/sessions/opened-session.ts'
import type { Amendment } from '../../shared/session/amendment.ts'
import type { ApprovalAnswer } from '../../shared/session/events.ts'
import { hasNoCopies } from '../environment/copy/support.ts'
import { type AgentPlace, agentPlace, eventsOf, saidIn, send } from './support/agent-place.ts'
import { answer, asked, seenBy, turnsIn, withLines } from './support/signing.ts'

const REFUSED = { kind: 'refuse', note: 'Not like this.' } as const

describe.skipIf(hasNoCopies)('a decision about an agent’s work', () => {
  test('counts for the message that is sent right after it: the refused changes are gone, and the agent knows why', async () => {
    const place = await agentPlace()
    const session = await place.start()
    await send(session, [{ write: ['a.txt', 'bad\n'] }])
    const { signing, request } = await asked(place, session)
    expect(await signing.answer({ ...request, answer: REFUSED, from: 'terminal' })).toMatchObject({ kind: 'accepted' })
    await send(session, [{ prompt: true }, { run: 'ls' }])
    expect(saidIn(session)).toContain('Not like this.')
    expect(eventsOf(session, 'TOOL_CALL_END').at(-1)?.output).toBe('')
    expect(eventsOf(session, 'ROLLED_BACK')).toHaveLength(1)
    await signing.running()?.idle()
    expect(await readdir(place.project)).toEqual([])
  })

  test('is carried out before the agent’s next turn if the app ended between the decision and the removal', async () => {
    const place = await agentPlace()
    const session = await place.start()
    await send(session, [{ write: ['a.txt', 'bad\n'] }])
    await answeredAndKilled(place, session, { kind: 'refused', note: REFUSED.note, by: 'person' })
    await send(session, [{ prompt: true }, { run: 'ls' }])
    expect(saidIn(session)).toContain('Not like this.')
    expect(eventsOf(session, 'TOOL_CALL_END').at(-1)?.output).toBe('')
  })

  test('is carried out before the user is asked again if the app ended between the decision and the removal', async () => {
    const place = await agentPlace()
    const session = await place.start()
    await send(session, [{ write: ['a.txt', 'bad\n'] }])
    await answeredAndKilled(place, session, { kind: 'refused', note: REFUSED.note, by: 'person' })
    expect(await asked(place, session).catch((error: Error) => error.message)).toBe('Nothing asks for a signature.')
    expect(await seenBy(session, 'ls')).toBe('')
  })

  test('that cannot be carried out is reported, and the agent’s turn goes on', async () => {
    const place = await agentPlace()
    const session = await place.start()
    // A small change set would not be a file.
    await send(session, [{ run: 'for n in $(seq 300); do echo $n > $n.txt; done' }])
    const { changeSet } = await answeredAndKilled(place, session, { kind: 'refused', note: null, by: 'person' })
    await rm(join(place.data, 'blobs', changeSet.slice(0, 2), changeSet))
    await send(session, [{ say: 'Goes on.' }])
    expect(saidIn(session)).toContain('Goes on.')
    expect(eventsOf(session, 'WARNING').map(({ trouble }) => trouble.code)).toEqual(['refused_not_removed'])
    expect(eventsOf(session, 'PROCESSING_END').at(-1)?.reason).not.toBe('error')
  })

  test('is carried out once: what the agent does again after it stays', async () => {
    const place = await agentPlace()
    const session = await place.start()
    await send(session, [{ write: ['a.txt', 'bad\n'] }])
    await answer(place, session, 'Not like this.')
    await send(session, [{ write: ['a.txt', 'bad\n'] }])
    expect(await seenBy(session, 'cat a.txt')).toBe('bad\n')
    expect(eventsOf(session, 'ROLLED_BACK')).toHaveLength(1)
  })

  test('is applied completely when the next message is sent while it is being applied', async () => {
    const place = await agentPlace()
    const session = await place.start()
    await send(session, [{ run: 'for n in $(seq 300); do echo $n > $n.txt; done' }])
    const { signing, request } = await asked(place, session)
    await signing.answer({ ...request, answer: { kind: 'sign' }, from: 'terminal' })
    await send(session, [{ say: 'Next.' }])
    await signing.running()?.idle()
    expect(eventsOf(signing, 'TOOL_CALL_END').at(-1)).toMatchObject({ outcome: 'done', isError: false })
    expect(await readdir(place.project)).toHaveLength(300)
  })

  test('that was not applied because the app ended decides nothing: the next request names the same turns', async () => {
    const place = await agentPlace()
    const session = await place.start()
    await send(session, [{ write: ['a.txt', 'a\n'] }])
    await answeredAndKilled(place, session, { kind: 'signed' })
    expect(await readdir(place.project)).toEqual([])
    await send(session, [{ write: ['b.txt', 'b\n'] }])
    expect(turnsIn((await asked(place, session)).request)).toEqual([1, 2])
  })

  test('is asked for again after an undo in the layer, about the turns that are left', async () => {
    const place = await agentPlace({}, { watched: true })
    const session = await place.start()
    await send(session, [{ write: ['a.txt', 'a\n'] }])
    await send(session, [{ write: ['b.txt', 'b\n'] }])
    const { signing, request } = await asked(place, session)
    expect(turnsIn(request)).toEqual([1, 2])
    const target = { kind: 'step', step: 1 } as const
    const preview = await session.previewUndo(target)
    if (!preview.ok) throw new Error(preview.failure.what)
    await session.undo({ target, plan: preview.value.plan, anyway: [], choices: [] })
    await expect.poll(() => eventsOf(signing, 'APPROVAL_REQUESTED').slice(1).map(turnsIn)).toEqual([[2]])
  })

  test('can be put off: undecided files and hunks stay in the layer, and the next request shows them with their turns', async () => {
    const place = await agentPlace()
    await writeFile(join(place.project, 'a.txt'), withLines({}))
    const session = await place.start()
    await send(session, [{ write: ['a.txt', withLines({ 2: 'good' })] }])
    await send(session, [{ write: ['a.txt', withLines({ 2: 'good', 6: 'later', 11: 'bad' })] }, { write: ['b.txt', 'b\n'] }])
    await send(session, [{ write: ['c.txt', 'c\n'] }])
    const at = (name: string): string => join(place.project, name)
    const hunks = (['accept', 'later', 'reject'] as const).map((kind, index) => {
      const [line] = [[1], [5], [10]][index] ?? []
      const range = [line ?? 0, (line ?? 0) + 1] as const
      return { before: range, after: range, decision: { kind } }
    })
    await answer(place, session, [
      { kind: 'hunks', path: at('a.txt'), hunks },
      { kind: 'leave', path: at('b.txt'), later: true },
      { kind: 'leave', path: at('c.txt') },
    ])
    expect(await readFile(at('a.txt'), 'utf8')).toBe(withLines({ 2: 'good' }))
    expect(await readdir(place.project)).toEqual(['a.txt'])
    expect(await seenBy(session, 'cat a.txt; ls')).toBe(`${withLines({ 2: 'good', 6: 'later' })}a.txt\nb.txt\n`)
    const { request } = await asked(place, session)
    expect(turnsIn(request)).toEqual([1, 2])
    expect(request.effects.flatMap((effect) => ('shown' in effect ? [effect.shown] : []))).toEqual(['a.txt', 'b.txt'])
    await answer(place, session, [{ kind: 'leave', path: at('b.txt') }])
    expect(await readFile(at('a.txt'), 'utf8')).toBe(withLines({ 2: 'good', 6: 'later' }))
    expect(await seenBy(session, 'ls')).toBe('a.txt\n')
  })

  test('can refuse a part and put off the rest without signing anything', async () => {
    const place = await agentPlace()
    const session = await place.start()
    await send(session, [{ write: ['a.txt', 'a\n'] }, { write: ['b.txt', 'b\n'] }])
    const later = { kind: 'leave', path: join(place.project, 'b.txt'), later: true } as const
    const { signing, request } = await asked(place, session)
    const put = (...amendments: readonly Amendment[]) =>
      signing.answer({ ...request, answer: { kind: 'sign', amendments }, from: 'terminal' })
    expect(await put(later, { kind: 'leave', path: join(place.project, 'a.txt'), later: true })).toMatchObject({ why: 'cannot_amend' })
    expect(await put(later, { kind: 'leave', path: join(place.project, 'a.txt') })).toMatchObject({ kind: 'accepted' })
    await signing.running()?.idle()
    expect(await readdir(place.project)).toEqual([])
    expect(await seenBy(session, 'ls')).toBe('b.txt\n')
    expect(turnsIn((await asked(place, session)).request)).toEqual([1])
  })

  test('against a new file in a new folder leaves no folder, and against a removed folder brings it back', async () => {
    const place = await agentPlace()
    await mkdir(join(place.project, 'old/deep'), { recursive: true })
    await writeFile(join(place.project, 'old/deep/a.txt'), 'a\n')
    const session = await place.start()
    await send(session, [{ run: 'mkdir -p new/deep && echo n > new/deep/n.txt && rm -r old && mkdir empty' }])
    await answer(place, session, null)
    expect(await seenBy(session, 'find . | sort')).toBe('.\n./empty\n./old\n./old/deep\n./old/deep/a.txt\n')
  })
})

/** Leaves the log as a process does that ends right after it has stored the answer. */
async function answeredAndKilled(place: AgentPlace, session: OpenedSession, given: ApprovalAnswer): Promise<{ changeSet: string }> {
  const { signing, request } = await asked(place, session)
  const { approvalId, toolCallId } = request
  await place.app.sessions.discard(signing.sessionId)
  place.app.store.log(signing.sessionId).append({ kind: 'APPROVAL_ANSWERED', approvalId, toolCallId, answer: given })
  return { changeSet: eventsOf(signing, 'COPY_ENDED').at(-1)?.changeSet?.hash ?? '' }
}
