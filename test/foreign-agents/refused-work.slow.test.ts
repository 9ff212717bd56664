import { readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { bringIn } from '../../main/layers/bring-in-session.ts'
import { hasNoCopies } from '../environment/copy/support.ts'
import { agentPlace, saidIn, send } from './support/agent-place.ts'
import { answer, asked, seenBy, withLines } from './support/signing.ts'

describe.skipIf(hasNoCopies)('what the user refuses of an agent’s work', () => {
  test('is removed from its layer and can be redone, and the agent is told why with its next message', async () => {
    const place = await agentPlace()
    await writeFile(join(place.project, 'a.txt'), 'one\n')
    await writeFile(join(place.project, 'gone.txt'), 'still here\n')
    const session = await place.start()
    await send(session, [{ write: ['a.txt', 'two\n'] }, { write: ['new.txt', 'new\n'] }, { delete: 'gone.txt' }])
    const signing = await answer(place, session, 'Not like this.')
    expect(saidIn(signing)).toContain(
      'The changes you refused were removed from the layer: a.txt, gone.txt, new.txt. Fake will learn about this',
    )
    expect(await readdir(place.project)).toEqual(['a.txt', 'gone.txt'])
    await send(session, [{ prompt: true }])
    expect(saidIn(session)).toMatch(
      /\[The user refused some of your changes, so they were removed from your files\. Changed on disk: .*a\.txt.*Deleted: new\.txt\..*Not like this\.\]/u,
    )
    expect(await seenBy(session, 'cat a.txt gone.txt; ls new.txt 2>&1 || true')).toMatch(/^one\nstill here\n.*new\.txt/u)

    const undone = session.record.state().rollbacks.at(-1)
    const target = { kind: 'rollback', rollbackId: undone?.rollbackId ?? '' } as const
    const preview = await session.previewUndo(target)
    if (!preview.ok) throw new Error(preview.failure.what)
    expect(await session.undo({ target, plan: preview.value.plan, anyway: [], choices: [] })).toMatchObject({ kind: 'done' })
    expect(await seenBy(session, 'cat a.txt new.txt; ls gone.txt 2>&1 || true')).toMatch(/^two\nnew\n.*gone\.txt/u)
  })

  test('includes links: new, changed and removed ones, and those in the place of files', async () => {
    const place = await agentPlace()
    for (const name of ['changed', 'removed']) await symlink('a.txt', join(place.project, name))
    await writeFile(join(place.project, 'a.txt'), 'one\n')
    const session = await place.start()
    await send(session, [{ run: 'ln -s a.txt new; ln -sfn new changed; rm removed a.txt; ln -s changed a.txt' }])
    await answer(place, session, 'Not like this.')
    expect(await seenBy(session, 'readlink changed removed; cat a.txt; ls')).toBe('a.txt\na.txt\none\na.txt\nchanged\nremoved\n')
  })

  test('does not include lines in conflict that were signed as they are: nothing of that file is removed', async () => {
    const place = await agentPlace()
    await writeFile(join(place.project, 'a.txt'), withLines({}))
    const session = await place.start()
    await send(session, [{ write: ['a.txt', withLines({ 2: 'by the agent', 9: 'by the agent' })] }])
    await writeFile(join(place.project, 'a.txt'), withLines({ 2: 'by the user' }))
    const signing = await answer(place, session, [])
    expect(await readFile(join(place.project, 'a.txt'), 'utf8')).toBe(withLines({ 2: 'by the user', 9: 'by the agent' }))
    expect(saidIn(signing)).toBe('Nothing was removed from the layer.')
    expect(await seenBy(session, 'cat a.txt')).toBe(withLines({ 2: 'by the agent', 9: 'by the agent' }))
  })

  test('is removed by hunk and by file, and what was signed is in the folder and in the layer', async () => {
    const place = await agentPlace()
    await writeFile(join(place.project, 'a.txt'), withLines({}))
    const session = await place.start()
    await send(session, [
      { write: ['a.txt', withLines({ 2: 'good', 11: 'bad' })] },
      { write: ['b.txt', 'b\n'] },
      { write: ['c.txt', 'c\n'] },
    ])
    const { request } = await asked(place, session)
    const path = (name: string): string =>
      request.effects.flatMap((effect) => ('shown' in effect && effect.shown === name ? [effect.path] : []))[0] ?? ''
    await answer(place, session, [
      {
        kind: 'hunks',
        path: path('a.txt'),
        hunks: [
          { before: [1, 2], after: [1, 2], decision: { kind: 'accept' } },
          { before: [10, 11], after: [10, 11], decision: { kind: 'reject' } },
        ],
      },
      { kind: 'leave', path: path('c.txt') },
    ])
    expect(await readFile(join(place.project, 'a.txt'), 'utf8')).toBe(withLines({ 2: 'good' }))
    expect(await readdir(place.project)).toEqual(['a.txt', 'b.txt'])
    expect(await seenBy(session, 'cat a.txt; ls')).toBe(`${withLines({ 2: 'good' })}a.txt\nb.txt\n`)
    const again = await bringIn(place.app, session.sessionId, AbortSignal.timeout(60_000))
    expect(again).toMatchObject({ ok: true, value: { asks: false } })
  })

  test('is the user’s own version where the user edited a hunk before signing', async () => {
    const place = await agentPlace()
    await writeFile(join(place.project, 'a.txt'), withLines({}))
    const session = await place.start()
    await send(session, [{ write: ['a.txt', withLines({ 2: 'theirs' })] }])
    const { request } = await asked(place, session)
    const [path] = request.effects.flatMap((effect) => (effect.kind === 'write' ? [effect.path] : []))
    await answer(place, session, [
      { kind: 'hunks', path: path ?? '', hunks: [{ before: [1, 2], after: [1, 2], decision: { kind: 'edit', text: 'mine\n' } }] },
    ])
    expect(await seenBy(session, 'cat a.txt')).toBe(withLines({ 2: 'mine' }))
  })

  test('stays where nobody can sign', async () => {
    const place = await agentPlace()
    const session = await place.start()
    await send(session, [{ write: ['a.txt', 'x'] }])
    const { signing } = await asked(place, session)
    await signing.stop()
    expect(await seenBy(session, 'cat a.txt')).toBe('x')
  })
})
