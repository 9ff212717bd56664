import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { movedFolder } from '../../main/layers/moved-folder.ts'
import { takeOver } from '../../main/layers/take-over.ts'
import type { OpenedSession } from '../../main/sessions/opened-session.ts'
import type { UndoTarget } from '../../shared/session/rollback.ts'
import { hasNoCopies } from '../environment/copy/support.ts'
import { pathWithoutBubblewrap } from '../headless/support/path-without-bubblewrap.ts'
import type { Family } from '../subagents/support/family.ts'
import { say } from '../support/scripted-model.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { answer, beside, broughtIn, changedPaths, request, run, text } from './support/beside.ts'

const putLink = (family: Pick<Family, 'folder'>, name: string, target: string): void => {
  rmSync(join(family.folder, name), { force: true })
  symlinkSync(target, join(family.folder, name))
}

/** The target of a link in the folder. Null if there is no link at the path. */
const linkIn = ({ folder }: Family, name: string): string | null =>
  lstatSync(join(folder, name), { throwIfNoEntry: false })?.isSymbolicLink() === true ? readlinkSync(join(folder, name)) : null

async function undone(session: OpenedSession, target: UndoTarget): Promise<void> {
  const preview = await session.previewUndo(target)
  if (!preview.ok) throw new Error(preview.failure.what)
  expect(await session.undo({ target, plan: preview.value.plan, anyway: [], choices: [] })).toMatchObject({ kind: 'done' })
}

const SCRIPT =
  'ln -s a.txt new; ln -sfn b.txt changed; rm removed; rm b.txt; ln -s a.txt b.txt; rm was; echo file > was; mkdir -p in/deep; ln -s ../../a.txt in/deep/link'

interface Work {
  readonly commands: readonly string[]
  readonly prepare: (places: { readonly folder: string }) => void
}

describe.skipIf(hasNoCopies).each(['overlay', 'clone'] as const)('symbolic links in a layer (%s)', { timeout: 60_000 }, (kind) => {
  /** Opens a session and runs the first command in it. Each further message runs the next one. */
  const worked = async (first: string | Work, ...others: readonly string[]): Promise<Family> => {
    const { commands, prepare } = typeof first === 'string' ? { commands: [first, ...others], prepare: () => {} } : first
    if (kind === 'clone') vi.stubEnv('PATH', await pathWithoutBubblewrap(temporaryFolder('path')))
    const left = [...commands]
    const family = await beside(
      ({ newest }) => (newest.includes('tool_result') ? say('Finished.') : run(left.shift() ?? 'true')),
      (places) => {
        for (const name of ['changed', 'removed', 'was']) putLink(places, name, 'a.txt')
        prepare(places)
      },
      // Without a sandbox, commands would ask.
      kind === 'clone' ? 'full' : 'ask',
    )
    await family.ask()
    return family
  }
  const links = (family: Family) => ['new', 'changed', 'removed', 'b.txt', 'was', 'in/deep/link'].map((name) => linkIn(family, name))
  const before = [null, 'a.txt', 'a.txt', null, 'a.txt', null]
  const after = ['a.txt', 'b.txt', null, 'a.txt', null, '../../a.txt']

  it('are shown with their targets, brought in as they are, and undone', async () => {
    const family = await worked(SCRIPT)
    const session = await broughtIn(family)
    const shown = (await request(session)).effects.flatMap((effect) =>
      effect.kind === 'link' ? [`${effect.shown}: ${effect.before} → ${effect.after}`] : [],
    )
    expect(shown.toSorted()).toEqual([
      'b.txt: null → a.txt',
      'changed: a.txt → b.txt',
      'in/deep/link: null → ../../a.txt',
      'new: null → a.txt',
      'removed: a.txt → null',
      'was: a.txt → null',
    ])
    expect(links(family)).toEqual(before)
    await answer(session, { kind: 'sign' })
    expect([links(family), text(family, 'was')]).toEqual([after, 'file\n'])
    expect((await movedFolder(family.app, family.parent.sessionId)).own).toBe(0)
    await undone(session, { kind: 'step', step: 1 })
    expect([links(family), text(family, 'b.txt')]).toEqual([before, 'b\n'])
    await answer(await broughtIn(family), { kind: 'sign' })
    expect(links(family)).toEqual(after)
  })

  it('can be left in the layer one by one, also where nothing else is asked for', async () => {
    const family = await worked('ln -s a.txt new; ln -sfn b.txt changed; rm removed')
    const session = await broughtIn(family)
    const { approvalId, hash } = (await request(session)).approval
    const amendments = [{ kind: 'leave', path: join(family.folder, 'changed') }] as const
    expect(await session.answer({ approvalId, hash, answer: { kind: 'sign', amendments }, from: 'terminal' })).toMatchObject({
      kind: 'accepted',
    })
    await session.running()?.idle()
    expect(links(family).slice(0, 3)).toEqual(['a.txt', 'a.txt', null])
    expect(changedPaths(await request(await broughtIn(family)))).toEqual(['changed'])
  })

  it('are changes of the step that made them, which can be undone in the layer', async () => {
    const family = await worked(SCRIPT)
    await undone(family.parent, { kind: 'step', step: 1 })
    expect((await movedFolder(family.app, family.parent.sessionId)).own).toBe(0)
  })

  it('are left as they are in the folder if both sides have changed them, and are named', async () => {
    const family = await worked('ln -sfn b.txt changed; echo new > c.txt')
    putLink(family, 'changed', 'elsewhere')
    const session = await broughtIn(family)
    expect((await request(session)).copy?.outcome?.leftOut).toEqual(['changed'])
    await answer(session, { kind: 'sign' })
    expect([linkIn(family, 'changed'), existsSync(join(family.folder, 'c.txt'))]).toEqual(['elsewhere', true])
  })

  const folderOf = ({ folder }: Family, name: string): readonly string[] | string =>
    linkIn({ folder } as Family, name) ??
    readdirSync(join(folder, name)).map((inner) => `${inner} ${readFileSync(join(folder, name, inner), 'utf8')}`)

  it('become folders when they are brought in, links again when that is undone, and then again folders', async () => {
    const prepare = ({ folder }: { readonly folder: string }): void => {
      mkdirSync(join(folder, 'real'))
      for (const name of ['x', 'y']) writeFileSync(join(folder, 'real', name), name)
      symlinkSync('real', join(folder, 'dir'))
    }
    const family = await worked({ commands: ['rm dir; cp -r real dir; printf B > dir/y'], prepare })
    const session = await broughtIn(family)
    await answer(session, { kind: 'sign' })
    expect([folderOf(family, 'dir'), folderOf(family, 'real')]).toEqual([
      ['x x', 'y B'],
      ['x x', 'y y'],
    ])
    expect((await movedFolder(family.app, family.parent.sessionId)).own).toBe(0)
    await undone(session, { kind: 'step', step: 1 })
    expect([folderOf(family, 'dir'), folderOf(family, 'real')]).toEqual(['real', ['x x', 'y y']])
    await answer(await broughtIn(family), { kind: 'sign' })
    expect([folderOf(family, 'dir'), folderOf(family, 'real')]).toEqual([
      ['x x', 'y B'],
      ['x x', 'y y'],
    ])
  })

  it('in the place of a folder are named and stay in the layer, and the folder stays with all that is in it', async () => {
    const prepare = ({ folder }: { readonly folder: string }): void => {
      mkdirSync(join(folder, 'dir'))
      for (const name of ['x', 'y']) writeFileSync(join(folder, 'dir', name), name)
    }
    const family = await worked({ commands: ['rm -r dir; ln -s a.txt dir; echo new > c.txt'], prepare })
    const session = await broughtIn(family)
    expect((await request(session)).copy?.outcome?.leftOut).toEqual(['dir', 'dir/x', 'dir/y'])
    await answer(session, { kind: 'sign' })
    expect([folderOf(family, 'dir'), text(family, 'c.txt')]).toEqual([['x x', 'y y'], 'new\n'])
    rmSync(join(family.folder, 'dir'), { recursive: true })
    await answer(await broughtIn(family), { kind: 'sign' })
    expect(linkIn(family, 'dir')).toBe('a.txt')
  })

  it.each([
    ['in the folder', 'rm changed; ln -s a.txt changed; echo b >> b.txt', 'cat changed/new', '"in a folder'],
    ['on both sides', 'rm changed; mkdir changed; echo own > changed/own', 'cat changed/own changed/new', '"own\\nin a folder'],
  ])('that became folders %s do so in the layer when the folder’s changes are taken over', async (_, command, look, seen) => {
    const family = await worked(command, look)
    rmSync(join(family.folder, 'changed'))
    mkdirSync(join(family.folder, 'changed'))
    writeFileSync(join(family.folder, 'changed', 'new'), 'in a folder')
    expect(await takeOver(family.app, family.parent.sessionId)).toEqual({ ok: true, value: null })
    const { files, own } = await movedFolder(family.app, family.parent.sessionId)
    expect([files, own]).toEqual([[], 1])
    await family.ask('Look')
    expect(JSON.stringify(family.model.requests.at(-1)?.body.messages.at(-1))).toContain(seen)
  })

  it('of the folder are taken over into the layer, where it has not changed them', async () => {
    const look = 'readlink changed b.txt; test -L removed || echo gone; cat was'
    const family = await worked(
      'rm changed removed was; ln -s a.txt changed; ln -s a.txt removed; ln -s a.txt was; echo b >> b.txt; echo new > c.txt',
      look,
    )
    putLink(family, 'changed', 'b.txt')
    putLink(family, 'b.txt', 'a.txt')
    for (const name of ['removed', 'was']) rmSync(join(family.folder, name))
    writeFileSync(join(family.folder, 'was'), 'file\n')
    expect(await takeOver(family.app, family.parent.sessionId)).toEqual({ ok: true, value: null })
    expect((await movedFolder(family.app, family.parent.sessionId)).files.map(({ path }) => path)).toEqual(['b.txt'])
    await family.ask('Look')
    expect(JSON.stringify(family.model.requests.at(-1)?.body.messages.at(-1))).toContain('"b.txt\\ngone\\nfile\\n')
  })
})
