import { existsSync, writeFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { hashOf } from '../../main/agent/blob-hash.ts'
import { blameHandler } from '../../main/api/blame.ts'
import { diskChangesHandlers } from '../../main/api/folder/disk-changes.ts'
import { filesHandlers } from '../../main/api/folder/files.ts'
import { gitHandlers } from '../../main/api/folder/git.ts'
import { shownText } from '../../main/api/changes.ts'
import { terminalPlaces, trustedPlaces } from '../../main/compose/session-places/session-place.ts'
import { createFileFinder } from '../../main/workspace/find-files.ts'
import { createPersonTerminals } from '../../main/terminals/person-terminals.ts'
import { writerOf } from '../../shared/api/changes/blame.ts'
import { hasNoCopies } from '../environment/copy/support.ts'
import { call, calls, say } from '../support/scripted-model.ts'
import type { Asked, Family } from '../subagents/support/family.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { beside, once, run, TEXT, text, withLine } from './support/beside.ts'

const placesOf = ({ app }: Family) => ({ openPlace: trustedPlaces(app) })
const context = () => ({ signal: new AbortController().signal }) as never
const git = ({ folder }: Family, ...args: readonly string[]): string => execFileSync('git', args, { cwd: folder, encoding: 'utf8' })

describe.skipIf(hasNoCopies)('a window of a session beside the folder', { timeout: 60_000 }, () => {
  it('shows who wrote the lines of a file in the layer, and in the folder nothing of it', async () => {
    const family = await beside(once("sed -i '2s/.*/layer/' a.txt && echo new > new.txt"))
    await family.ask()
    const { app, folder, parent } = family
    const blame = blameHandler({ blamer: app.blamer, layerOf: app.store.sessions.layerOf, folderOf: () => null, ...placesOf(family) })
    const here = await app.starter.start(folder, {})
    if (!here.ok) throw new Error(here.failure.what)
    const writers = async (sessionId: typeof parent.sessionId, name: string) => {
      const found = await blame({ sessionId, path: join(folder, name), version: null }, context())
      return found.ok ? [1, 2].map((line) => writerOf(found.blame, line)?.kind) : found.trouble.code
    }
    expect(await writers(parent.sessionId, 'a.txt')).toEqual(['earlier', 'step'])
    expect(await writers(parent.sessionId, 'new.txt')).toEqual(['step', undefined])
    expect(await writers(here.value.sessionId, 'a.txt')).toEqual(['earlier', 'earlier'])
    expect(await writers(here.value.sessionId, 'new.txt')).toBe('file_not_read')
  })

  it('lists and reads the files of the layer, and shows none of them to a session in the folder', async () => {
    const family = await beside(once("sed -i '2s/.*/layer/' a.txt && echo new > new.txt"))
    await family.ask()
    const { app, folder, parent } = family
    const here = await app.starter.start(folder, {})
    if (!here.ok) throw new Error(here.failure.what)
    const files = filesHandlers({ ...placesOf(family), finder: createFileFinder({ open: () => app.workspaces.open(folder) }, Date.now) })
    const seenBy = async (sessionId: typeof parent.sessionId) => {
      const listed = await files.folder({ sessionId, path: '' }, context())
      const read = await files.read({ sessionId, path: 'a.txt' }, context())
      return [listed.ok && listed.entries.map(({ name }) => name), read.ok && read.file.content]
    }
    expect(await seenBy(parent.sessionId)).toEqual([
      expect.arrayContaining(['a.txt', 'new.txt']),
      { kind: 'text', text: withLine(2, 'layer') },
    ])
    expect(await seenBy(here.value.sessionId)).toEqual([expect.not.arrayContaining(['new.txt']), { kind: 'text', text: TEXT }])
  })

  it('compares its steps with the layer, and notices a later change there', async () => {
    const family = await beside(once("sed -i '2s/.*/layer/' a.txt"))
    await family.ask()
    const { folder, parent } = family
    const { onDisk, textNow } = diskChangesHandlers(placesOf(family))
    const path = join(folder, 'a.txt')
    const { sessionId } = parent
    expect(await textNow({ sessionId, path }, context())).toMatchObject({ ok: true, text: { text: withLine(2, 'layer') } })
    const stop = new AbortController()
    onTestFinished(() => stop.abort())
    const answers = onDisk({ sessionId, files: [{ path, after: hashOf(Buffer.from(withLine(2, 'layer'))) }] }, {
      signal: stop.signal,
    } as never)
    const changes = answers[Symbol.asyncIterator]()
    expect((await changes.next()).value).toEqual({ changed: [] })
    writeFileSync(path, 'folder\n')
    const place = await placesOf(family).openPlace(sessionId)
    if (!place.ok) throw new Error(place.failure.what)
    await place.value.environment.writeFile(path, 'mine\n')
    await place.value.close()
    expect((await changes.next()).value).toEqual({ changed: [{ path, now: hashOf(Buffer.from('mine\n')) }] })
  })

  it('shows, stages and commits what git finds in the layer, and leaves the index and the commits of the folder alone', async () => {
    const family = await beside(once("sed -i '2s/.*/layer/' a.txt"), ({ folder }) => {
      for (const args of [
        ['init', '-q'],
        ['add', '.'],
        ['-c', 'user.name=A', '-c', 'user.email=a@b.c', 'commit', '-qm', 'First'],
      ])
        execFileSync('git', args, { cwd: folder })
      execFileSync('git', ['config', 'user.name', 'A'], { cwd: folder })
      execFileSync('git', ['config', 'user.email', 'a@b.c'], { cwd: folder })
    })
    await family.ask()
    const { sessionId } = family.parent
    const { status, commit, stage } = gitHandlers({ ...placesOf(family), asText: shownText })
    const found = await status({ sessionId }, context())
    expect(JSON.stringify(found)).toContain('a.txt')
    expect(await stage({ sessionId, side: 'unstaged', path: 'a.txt', chosen: null }, context())).toEqual({ ok: true })
    expect(git(family, 'status', '--porcelain')).toBe('')
    expect(await commit({ sessionId, message: 'In the layer' }, context())).toMatchObject({ ok: true })
    expect(git(family, 'log', '--format=%s')).toBe('First\n')
  })

  it('opens the user’s terminals in the layer, without secrets that the agent’s programs could read from them', async () => {
    vi.stubEnv('OWN_SERVICE_TOKEN', 'not-for-agents')
    // The shell of the user who runs the tests may have slow start files.
    vi.stubEnv('HOME', temporaryFolder('home'))
    const family = await beside(once('echo layer > new.txt'))
    await family.ask()
    const own = createPersonTerminals()
    onTestFinished(() => own.close())
    const { sessionId } = family.parent
    const place = await terminalPlaces(placesOf(family).openPlace)(sessionId, true)
    if (!place.ok) throw new Error(place.failure.what)
    const opened = await own.open(
      sessionId,
      place.value,
      'echo "[$(cat new.txt)]"; echo mine > own.txt; echo "[token:$OWN_SERVICE_TOKEN]"; echo "[$?]"\n',
    )
    if (!opened.ok) throw new Error(opened.failure.what)
    let shown = ''
    for await (const item of own.attach({ sessionId, toolCallId: opened.value }, new AbortController().signal)) {
      if (item.kind === 'data') shown += item.data
      if (shown.includes('[0]')) break
    }
    expect(shown).toContain('[layer]')
    expect(shown).toContain('[token:]')
    expect(existsSync(join(family.folder, 'own.txt'))).toBe(false)
  })
})

describe.skipIf(hasNoCopies)('the layer of a session', { timeout: 60_000 }, () => {
  it('also contains what its subagents wrote', async () => {
    const family = await beside(({ who, round }: Asked) =>
      who === 'PARENT'
        ? round === 0
          ? calls(call('task', { agent_type: 'code', prompt: 'CHILD-ONE' }))
          : round === 1
            ? run('cat child.txt')
            : say('Done.')
        : round === 0
          ? run('echo by the child > child.txt')
          : say('Finished.'),
    )
    await family.ask()
    expect(JSON.stringify(family.model.requests.at(-1)?.body.messages.at(-1))).toContain('by the child')
    expect(existsSync(join(family.folder, 'child.txt'))).toBe(false)
  })

  it('of a fork begins with what is in the layer of its source, and from then on neither changes the other', async () => {
    const family = await beside(({ newest }) => {
      if (newest.includes('Fork it')) return run("cat a.txt && sed -i '2s/.*/fork/' a.txt")
      if (newest.includes('Look')) return run('cat a.txt')
      return newest.includes('Go') ? run("sed -i '2s/.*/source/' a.txt") : say('Done.')
    })
    await family.ask()
    const { app, parent } = family
    const forked = await app.sessions.fork(parent.sessionId, { kind: 'after', seq: parent.record.state().turnEnd?.seq ?? 0 })
    if (!forked.ok) throw new Error(forked.failure.what)
    const told = (): string => JSON.stringify(family.model.requests.at(-1)?.body.messages.at(-1))
    await forked.value.send({ inputId: 'i_1', text: 'Fork it', delivery: 'queue' })
    await forked.value.running()?.idle()
    expect(told()).toContain('source')
    await family.ask('Look')
    expect(told()).toContain('source')
    expect(told()).not.toContain('fork')
    expect(text(family, 'a.txt')).toBe(TEXT)
  })
})
