import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bringIn } from '../../main/layers/bring-in-session.ts'
import { movedFolder } from '../../main/layers/moved-folder.ts'
import { takeOver } from '../../main/layers/take-over.ts'
import { hasNoCopies } from '../environment/copy/support.ts'
import { openFamily } from '../subagents/support/family.ts'
import { call, calls, say } from '../support/scripted-model.ts'
import { answer, beside, broughtIn, changedPaths, conflictsOf, LINES, once, request, run, TEXT, text, withLine } from './support/beside.ts'

describe.skipIf(hasNoCopies)('a session beside the folder', { timeout: 60_000 }, () => {
  it('edits and runs without a request, sees its own work, and leaves the folder as it is', async () => {
    const family = await beside(({ round }) =>
      round === 0
        ? calls(call('edit_file', { path: 'b.txt', old_string: 'b', new_string: 'edited' }))
        : round === 1
          ? run("cat b.txt && sed -i '2s/.*/changed/' a.txt && mkdir new && echo new > new/c.txt")
          : round === 2
            ? run('cat a.txt new/c.txt; pwd')
            : say('Finished.'),
    )
    await family.ask()
    expect(JSON.stringify(family.model.requests.at(-1)?.body.messages)).toMatch(/edited.*changed.*new/u)
    expect(JSON.stringify(family.model.requests.at(-1)?.body.messages.at(-1))).toContain(family.folder)
    expect([text(family, 'a.txt'), text(family, 'b.txt'), existsSync(join(family.folder, 'new'))]).toEqual([TEXT, 'b\n', false])
  })

  it('brings in what is signed, and from then on nothing is left to bring in', async () => {
    const family = await beside(once("sed -i '2s/.*/changed/' a.txt && rm b.txt && mkdir new && echo new > new/c.txt"))
    await family.ask()
    const session = await broughtIn(family)
    const open = await request(session)
    expect(changedPaths(open)).toEqual(expect.arrayContaining(['a.txt', 'b.txt', 'new/c.txt']))
    expect(text(family, 'a.txt')).toBe(TEXT)
    await answer(session, { kind: 'sign' })
    expect([text(family, 'a.txt'), existsSync(join(family.folder, 'b.txt')), text(family, 'new/c.txt')]).toEqual([
      withLine(2, 'changed'),
      false,
      'new\n',
    ])
    const again = await broughtIn(family)
    await again.running()?.idle()
    expect(again.sessionId).toBe(session.sessionId)
    expect(JSON.stringify(again.snapshot(9).items)).toContain('nothing to bring in')
  })

  it('brings in a folder that replaced a file', async () => {
    const family = await beside(once("rm b.txt && mkdir b.txt && echo inside > b.txt/c.txt && sed -i '2s/.*/changed/' a.txt"))
    await family.ask()
    const session = await broughtIn(family)
    expect(changedPaths(await request(session))).toEqual(expect.arrayContaining(['a.txt', 'b.txt', 'b.txt/c.txt']))
    await answer(session, { kind: 'sign' })
    expect([text(family, 'a.txt'), text(family, 'b.txt/c.txt')]).toEqual([withLine(2, 'changed'), 'inside\n'])
    const again = await broughtIn(family)
    await again.running()?.idle()
    expect(JSON.stringify(again.snapshot(9).items)).toContain('nothing to bring in')
  })

  it('leaves out a file in a folder if the user changed the file that the folder replaced', async () => {
    const family = await beside(once("rm b.txt && mkdir b.txt && echo inside > b.txt/c.txt && sed -i '2s/.*/changed/' a.txt"))
    await family.ask()
    writeFileSync(join(family.folder, 'b.txt'), 'mine\n')
    const session = await broughtIn(family)
    const open = await request(session)
    expect([changedPaths(open), open.copy?.outcome?.leftOut]).toEqual([['a.txt'], ['b.txt', 'b.txt/c.txt']])
    await answer(session, { kind: 'sign' })
    expect([text(family, 'a.txt'), text(family, 'b.txt')]).toEqual([withLine(2, 'changed'), 'mine\n'])
  })

  it('keeps in the layer what is refused, and asks for it again', async () => {
    const family = await beside(once("sed -i '2s/.*/changed/' a.txt"))
    await family.ask()
    await answer(await broughtIn(family), { kind: 'refuse', note: null })
    expect(text(family, 'a.txt')).toBe(TEXT)
    expect(changedPaths(await request(await broughtIn(family)))).toEqual(['a.txt'])
  })

  it('merges what it changed with what was changed in the folder meanwhile, and shows a conflict', async () => {
    const family = await beside(once("sed -i -e '2s/.*/layer/' -e '5s/.*/layer/' a.txt"))
    await family.ask()
    writeFileSync(join(family.folder, 'a.txt'), `${LINES.with(4, 'folder').with(7, 'folder').join('\n')}\n`)
    const session = await broughtIn(family)
    const conflicts = conflictsOf(await request(session))
    expect(conflicts.map(({ now, before }) => [now.lines, before.lines])).toEqual([[['folder'], ['layer']]])
    await answer(session, { kind: 'sign' })
    expect(text(family, 'a.txt')).toBe(`${LINES.with(1, 'layer').with(4, 'folder').with(7, 'folder').join('\n')}\n`)
    // The conflict was left as it is, so the layer's line was not brought in.
    const again = conflictsOf(await request(await broughtIn(family)))
    expect(again.map(({ now, before }) => [now.lines, before.lines])).toEqual([[['folder'], ['layer']]])
  })

  it('merges a later change by the user to a file that the session edited in an earlier turn', async () => {
    const family = await beside(({ round }) =>
      round === 0
        ? calls(call('edit_file', { path: 'a.txt', old_string: 'line 2\n', new_string: 'layer\n' }))
        : round === 2
          ? run('true')
          : say('Finished.'),
    )
    await family.ask()
    writeFileSync(join(family.folder, 'other.txt'), 'other')
    writeFileSync(join(family.folder, 'a.txt'), withLine(8, 'folder'))
    // From this turn on, the layer shows the folder as it is now.
    await family.ask('Go on')
    const session = await broughtIn(family)
    expect(conflictsOf(await request(session))).toEqual([])
    await answer(session, { kind: 'sign' })
    expect(text(family, 'a.txt')).toBe(`${LINES.with(1, 'layer').with(7, 'folder').join('\n')}\n`)
  })

  it('does not take its own earlier work for somebody else’s when it changes the same lines again', async () => {
    let command = "sed -i '2s/.*/first/' a.txt"
    const family = await beside(({ newest }) => (newest.includes('tool_result') ? say('Finished.') : run(command)))
    await family.ask()
    await answer(await broughtIn(family), { kind: 'sign' })
    command = "sed -i '2s/.*/second/' a.txt"
    await family.ask()
    const session = await broughtIn(family)
    expect(conflictsOf(await request(session))).toEqual([])
    await answer(session, { kind: 'sign' })
    expect(text(family, 'a.txt')).toBe(withLine(2, 'second'))
  })

  it('asks for the rest of a file of which a part was signed, also when the user has changed the file', async () => {
    const family = await beside(once("sed -i -e '2s/.*/one/' -e '8s/.*/two/' a.txt"))
    await family.ask()
    const userLines = LINES.with(4, 'folder')
    writeFileSync(join(family.folder, 'a.txt'), `${userLines.join('\n')}\n`)
    const session = await broughtIn(family)
    const open = await request(session)
    const hunks = [
      { before: [1, 2], after: [1, 2], decision: { kind: 'accept' } },
      { before: [7, 8], after: [7, 8], decision: { kind: 'reject' } },
    ] as const
    const { approvalId, hash } = open.approval
    const answered = await session.answer({
      approvalId,
      hash,
      answer: { kind: 'sign', amendments: [{ kind: 'hunks', path: join(family.folder, 'a.txt'), hunks }] },
      from: 'terminal',
    })
    expect(answered).toMatchObject({ kind: 'accepted' })
    await session.running()?.idle()
    const signed = userLines.with(1, 'one')
    expect(text(family, 'a.txt')).toBe(`${signed.join('\n')}\n`)
    const again = await broughtIn(family)
    const rest = await request(again)
    expect(conflictsOf(rest)).toEqual([])
    expect(rest.effects.flatMap((effect) => (effect.kind === 'write' ? [effect.lines] : []))).toEqual([{ added: 1, removed: 1 }])
    await answer(again, { kind: 'sign' })
    expect(text(family, 'a.txt')).toBe(`${signed.with(7, 'two').join('\n')}\n`)
  })

  it('still has what was brought in and undone again, and asks for it again', async () => {
    const family = await beside(once("sed -i -e '2s/.*/one/' a.txt; echo new > new.txt"))
    await family.ask()
    const session = await broughtIn(family)
    await answer(session, { kind: 'sign' })
    writeFileSync(join(family.folder, 'a.txt'), `${LINES.with(1, 'one').with(7, 'folder').join('\n')}\n`)
    const target = { kind: 'step', step: 1 } as const
    const preview = await session.previewUndo(target)
    if (!preview.ok) throw new Error(preview.failure.what)
    expect(await session.undo({ target, plan: preview.value.plan, anyway: [], choices: [] })).toMatchObject({ kind: 'done' })
    expect([text(family, 'a.txt'), existsSync(join(family.folder, 'new.txt'))]).toEqual([withLine(8, 'folder'), false])
    const again = await broughtIn(family)
    const open = await request(again)
    expect([changedPaths(open), conflictsOf(open)]).toEqual([['a.txt', 'new.txt'], []])
    await answer(again, { kind: 'sign' })
    expect([text(family, 'a.txt'), text(family, 'new.txt')]).toEqual([`${LINES.with(1, 'one').with(7, 'folder').join('\n')}\n`, 'new\n'])
  })

  it('can still be signed, and undone, after the session whose work is brought in was deleted', async () => {
    const family = await beside(once("sed -i '2s/.*/one/' a.txt; echo new > new.txt"))
    await family.ask()
    const session = await broughtIn(family)
    await request(session)
    const { sessionId } = family.parent
    const weight = await family.app.cleaner.weigh([sessionId])
    if (!weight.ok) throw new Error(weight.failure.what)
    expect(await family.app.cleaner.delete([sessionId], weight.value)).toMatchObject({ kind: 'deleted' })
    await answer(session, { kind: 'sign' })
    expect([text(family, 'a.txt'), text(family, 'new.txt')]).toEqual([withLine(2, 'one'), 'new\n'])
    const items = JSON.stringify(session.snapshot(9).items)
    expect(items).not.toContain('Tool error')
    expect(items).toContain('The session is deleted.')
    const target = { kind: 'step', step: 1 } as const
    const preview = await session.previewUndo(target)
    if (!preview.ok) throw new Error(preview.failure.what)
    expect(await session.undo({ target, plan: preview.value.plan, anyway: [], choices: [] })).toMatchObject({ kind: 'done' })
    expect([text(family, 'a.txt'), existsSync(join(family.folder, 'new.txt'))]).toEqual([TEXT, false])
  })

  it('still contains undone work if the app was killed right after the undo', async () => {
    const family = await beside(once("sed -i '2s/.*/one/' a.txt"))
    await family.ask()
    const session = await broughtIn(family)
    await answer(session, { kind: 'sign' })
    const target = { kind: 'step', step: 1 } as const
    const preview = await session.previewUndo(target)
    if (!preview.ok) throw new Error(preview.failure.what)
    expect(await session.undo({ target, plan: preview.value.plan, anyway: [], choices: [] })).toMatchObject({ kind: 'done' })
    // As a kill would leave it: undone in the folder, and the layer does not know.
    const { app, folder, parent } = family
    const opened = await app.workspaces.open(folder)
    if (!opened.ok || opened.value.layers === null) throw new Error('There are no layers.')
    const { layers } = opened.value
    const { files: undone } = await layers.changes(parent.sessionId)
    await layers.rebase(
      parent.sessionId,
      undone.map(({ path, own }) => ({ path, base: own })),
    )
    expect((await layers.changes(parent.sessionId)).files).toEqual([])
    await opened.value.close()
    await app.close()
    expect(changedPaths(await request(await broughtIn(await family.again())))).toEqual(['a.txt'])
  })

  it('names a file that cannot be merged as left out, and brings in the others', async () => {
    const family = await beside(once("sed -i '2s/.*/layer/' a.txt && echo new > new.txt"))
    await family.ask()
    rmSync(join(family.folder, 'a.txt'))
    const open = await request(await broughtIn(family))
    expect([changedPaths(open), open.copy?.outcome?.leftOut]).toEqual([['new.txt'], ['a.txt']])
  })

  it('keeps its layer through a restart of the app', async () => {
    const family = await beside(({ round }) =>
      round === 0 ? run('echo kept > kept.txt') : round === 2 ? run('cat kept.txt') : say('Finished.'),
    )
    await family.ask()
    await family.app.close()
    const again = await family.again()
    await again.ask('Once more')
    expect(JSON.stringify(again.model.requests.at(-1)?.body.messages.at(-1))).toContain('kept')
    expect(existsSync(join(family.folder, 'kept.txt'))).toBe(false)
  })

  it('asks once if it is brought in twice at the same time, as after a double click', async () => {
    const family = await beside(once('echo new > new.txt'))
    await family.ask()
    const [session] = await Promise.all([broughtIn(family), broughtIn(family)])
    await answer(session, { kind: 'sign' })
    await session.running()?.idle()
    const kinds = [...session.record.read()].map(({ event }) => event.kind)
    expect(kinds.filter((kind) => kind === 'USER_INPUT' || kind === 'INPUT_QUEUED')).toHaveLength(1)
    expect(text(family, 'new.txt')).toBe('new\n')
  })

  it('refuses to bring in while the session works, and for a session in the folder itself', async () => {
    const here = await openFamily(once('true'), { mode: 'ask' })
    expect(await bringIn(here.app, here.parent.sessionId, AbortSignal.timeout(60_000))).toMatchObject({
      ok: false,
      failure: { code: 'not_beside' },
    })
    const busy = await beside(once('sleep 30'))
    busy.parent.running()?.submit('Go')
    await busy.parent.record.until(() => (busy.parent.record.state().run === 'PROCESSING' ? true : null), AbortSignal.timeout(10_000))
    expect(await bringIn(busy.app, busy.parent.sessionId, AbortSignal.timeout(60_000))).toMatchObject({
      ok: false,
      failure: { code: 'still_working' },
    })
    await busy.parent.stop()
  })
})

describe.skipIf(hasNoCopies)('what changes in the folder while a session works beside it', { timeout: 60_000 }, () => {
  it('is listed with the session that wrote it, until somebody else writes it', async () => {
    const family = await beside(({ who, round }) =>
      round > 0 ? say('Done.') : run(`sed -i '${who === 'PARENT' ? 2 : 8}s/.*/${who}/' a.txt`),
    )
    await family.ask()
    const { app, folder, parent } = family
    const { where: _, ...config } = parent.record.state().config
    const other = await app.sessions.create({ cwd: folder, ...config, mode: 'full' })
    if (!other.ok) throw new Error(other.failure.what)
    const running = other.value.running()
    running?.submit('CHILD-other')
    await running?.idle()
    const writer = async () => (await movedFolder(app, parent.sessionId)).files.map(({ path, by }) => [path, by])
    expect(await writer()).toEqual([['a.txt', { title: 'CHILD-other', step: 1 }]])
    writeFileSync(join(folder, 'a.txt'), withLine(8, 'user'))
    expect(await writer()).toEqual([['a.txt', null]])
  })

  it('is named, merged into the layer when it is taken over, and then no longer named', async () => {
    const family = await beside(({ round }) =>
      round === 0 ? run("sed -i '2s/.*/layer/' a.txt") : round === 2 ? run('cat a.txt b.txt new.txt') : say('Done.'),
    )
    await family.ask()
    const { app, folder, parent } = family
    expect(await movedFolder(app, parent.sessionId)).toEqual({ files: [], own: 1, leftOut: [] })
    writeFileSync(join(folder, 'a.txt'), withLine(8, 'folder'))
    writeFileSync(join(folder, 'new.txt'), 'new in the folder\n')
    rmSync(join(folder, 'b.txt'))
    // An overlay shows the files that it does not have itself.
    const file = { path: 'a.txt', isInLayer: true, at: statSync(join(folder, 'a.txt')).mtimeMs, by: null }
    expect(await movedFolder(app, parent.sessionId)).toEqual({ files: [file], own: 1, leftOut: [] })
    expect(await takeOver(app, parent.sessionId)).toMatchObject({ ok: true })
    expect(await movedFolder(app, parent.sessionId)).toEqual({ files: [], own: 1, leftOut: [] })
    await family.ask('Look')
    const seen = JSON.stringify(family.model.requests.at(-1)?.body.messages.at(-1))
    expect(seen).toMatch(/layer.*folder.*new in the folder/u)
    expect(seen).toContain('b.txt: No such file')
    expect(changedPaths(await request(await broughtIn(family)))).toEqual(['a.txt'])
  })

  it('keeps the layer’s lines where both changed the same ones, and still shows the conflict when it is brought in', async () => {
    const family = await beside(once("sed -i '5s/.*/layer/' a.txt"))
    await family.ask()
    writeFileSync(join(family.folder, 'a.txt'), withLine(5, 'folder'))
    expect(await takeOver(family.app, family.parent.sessionId)).toMatchObject({ ok: true })
    expect(conflictsOf(await request(await broughtIn(family)))).toHaveLength(1)
  })

  it('is not taken over after a failure, so that an equal change that the session makes later is its own', async () => {
    let command = 'touch a.txt b.txt'
    const family = await beside(({ newest }) => (newest.includes('tool_result') ? say('Finished.') : run(command)))
    await family.ask()
    const { app, folder, parent } = family
    rmSync(join(folder, 'a.txt'))
    writeFileSync(join(folder, 'b.txt'), 'folder\n')
    const getInSlices = (): Promise<never> => Promise.reject(new Error('EIO: i/o error, read'))
    const { sessions, blobs, changeInFolder, eventsAfter } = app.store
    const store = { sessions, changeInFolder, eventsAfter, blobs: { ...blobs, getInSlices } }
    expect(await takeOver({ workspaces: app.workspaces, store }, parent.sessionId)).toMatchObject({ failure: { code: 'not_taken_over' } })
    writeFileSync(join(folder, 'a.txt'), TEXT)
    command = 'rm a.txt'
    await family.ask()
    expect(changedPaths(await request(await broughtIn(family)))).toEqual(['a.txt'])
  })
})
