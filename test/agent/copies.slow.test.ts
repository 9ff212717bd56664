import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { existsSync, lstatSync, readlinkSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hasNoCopies, treeOf } from '../environment/copy/support.ts'
import { calls, say } from '../support/scripted-model.ts'
import { answerCall, type Rig, type RigOptions, waiting } from './support/rig.ts'
import { ends, heard, only, resultsOf, rigFor, shell, write } from './support/scripted-rig.ts'

/** Starts a session whose agent runs one command in a folder with these files. */
async function running(command: string, files: Readonly<Record<string, string>> = {}, options: RigOptions = {}) {
  const { rig, provider } = await rigFor([calls(shell(command)), say('Done.')], { inCopies: true, ...options })
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(rig.folder, name, '..'), { recursive: true })
    await writeFile(join(rig.folder, name), text)
  }
  const before = treeOf(rig.folder)
  rig.session.submit('go')
  return {
    rig,
    provider,
    before,
    result: () => resultsOf(provider.requests[1])[0],
    file: (name: string) => readFile(join(rig.folder, name), 'utf8'),
  }
}

const shown = (rig: Rig) =>
  only(rig, 'APPROVAL_REQUESTED').map(({ effects }) =>
    effects.map((effect) => ('shown' in effect ? `${effect.kind} ${effect.shown}` : effect.kind)),
  )

describe.skipIf(hasNoCopies)('an agent’s command runs in a copy first', { timeout: 60_000 }, () => {
  it('needs no approval in ask mode when it changes nothing', async () => {
    const { rig, before, result } = await running('cat a.txt; touch /tmp/x; exit 3', { 'a.txt': 'hello' })
    await rig.session.idle()
    expect(shown(rig)).toEqual([])
    expect(result()).toEqual(['error', expect.stringContaining('hello')])
    expect(rig.kinds()).toEqual(expect.arrayContaining(['COPY_STARTED', 'COPY_ENDED']))
    expect(rig.kinds()).not.toContain('TOOL_EXECUTION_START')
    expect(treeOf(rig.folder)).toEqual(before)
  })

  it('shows its changes before any of them reach the folder, and applies exactly those', async () => {
    const { rig, before, result, file } = await running(
      'echo new > b/new.txt; echo more >> a.txt; rm old.txt; chmod 755 run.sh; ln -s a.txt link; mkdir empty; mv m1.txt m2.txt; echo finished',
      { 'a.txt': 'a\n', 'old.txt': 'old', 'run.sh': 'exit', 'b/c.txt': 'c', 'm1.txt': 'moved' },
    )
    const [call] = await waiting(rig.session)
    expect(treeOf(rig.folder)).toEqual(before)
    expect(shown(rig)).toEqual([
      [
        'command',
        'write a.txt',
        'write b/new.txt',
        'folder empty',
        'link link',
        'delete m1.txt',
        'write m2.txt',
        'delete old.txt',
        'permissions run.sh',
      ],
    ])
    answerCall(rig.session, call)
    await rig.session.idle()
    expect(await file('a.txt')).toBe('a\nmore\n')
    expect(await file('b/new.txt')).toBe('new\n')
    expect(await file('m2.txt')).toBe('moved')
    expect([existsSync(join(rig.folder, 'old.txt')), existsSync(join(rig.folder, 'm1.txt'))]).toEqual([false, false])
    expect(readlinkSync(join(rig.folder, 'link'))).toBe('a.txt')
    expect(lstatSync(join(rig.folder, 'empty')).isDirectory()).toBe(true)
    expect(statSync(join(rig.folder, 'run.sh')).mode & 0o777).toBe(0o755)
    expect(result()).toEqual(['ok', expect.stringContaining('finished')])
    expect(only(rig, 'FILES_CHANGED').flatMap(({ files }) => files.map((changed) => changed.shown))).toEqual(
      expect.arrayContaining(['a.txt', 'b/new.txt', 'old.txt', 'm2.txt']),
    )
  })

  it.each([
    ['the repository', 'ask', 'd=.g; rm -rf ${d}it', "git's data"],
    ['the repository and made a new one', 'accept-edits', 'd=.g; rm -rf ${d}it; mkdir ${d}it; echo x > ${d}it/HEAD', "git's data"],
    ['the repository by renaming it', 'auto', 'd=.g; mv ${d}it x', "git's data"],
    ['everything in a folder without a repository', 'accept-edits', 'for f in * ; do rm -rf "$f"; done', 'the whole folder'],
  ] as const)('is blocked without a request if it removed %s', async (_name, mode, command, what) => {
    const files = what === 'the whole folder' ? {} : { '.git/HEAD': 'ref: x', '.git/objects/aa/b': 'o' }
    const { rig, before, result } = await running(command, { 'a.txt': 'a', 'd/b.txt': 'b', ...files }, { mode })
    await rig.session.idle()
    expect(shown(rig)).toEqual([])
    expect(treeOf(rig.folder)).toEqual(before)
    expect(result()).toEqual(['error', expect.stringContaining(`would remove ${what}`)])
  })

  it('can remove the only file of a folder, or move all files into a new folder', async () => {
    const { rig, file } = await running('mkdir src; mv a.txt b.txt src/', { 'a.txt': 'a', 'b.txt': 'b' }, { mode: 'accept-edits' })
    await rig.session.idle()
    expect(await file('src/a.txt')).toBe('a')
    const alone = await running('rm a.txt', { 'a.txt': 'a' }, { mode: 'accept-edits' })
    await alone.rig.session.idle()
    expect(treeOf(alone.rig.folder)).toEqual({})
  })

  it('tells the user why signed changes were not applied', async () => {
    const { rig, result, file } = await running('echo ran; echo x >> a.txt', { 'a.txt': 'a' })
    const [call] = await waiting(rig.session)
    await writeFile(join(rig.folder, 'a.txt'), 'mine')
    answerCall(rig.session, call)
    await rig.session.idle()
    const why = 'Nothing was applied: a.txt: the file has changed since. Run the command again if its changes are still needed.'
    expect(result()).toEqual(['error', expect.stringContaining(why)])
    expect(only(rig, 'TOOL_CALL_END')).toMatchObject([{ outcome: 'failed', details: { notApplied: why } }])
    expect(await file('a.txt')).toBe('mine')
  })

  it('leaves the folder unchanged when its changes are refused, and the agent gets the output and the user’s note', async () => {
    const { rig, before, result } = await running('echo formatted; echo x >> a.txt', { 'a.txt': 'a' })
    answerCall(rig.session, (await waiting(rig.session))[0], 'Not that file.')
    await rig.session.idle()
    expect(treeOf(rig.folder)).toEqual(before)
    const [kind, text] = result() ?? []
    expect([kind, ends(rig).map(([, outcome]) => outcome)]).toEqual(['error', ['refused']])
    expect(text).toMatch(/formatted[^]*refused its changes[^]*Not that file\./u)
  })

  it('gives the agent its output if a rule denies one of its changes, and applies none of them', async () => {
    const rules = [{ answer: 'deny', when: { kind: 'path', pattern: 'locked/**' } }] as const
    const { rig, before, result } = await running('d=locked; mkdir $d; echo x > $d/a.txt; echo y > b.txt; echo ran', {}, { rules })
    await rig.session.idle()
    expect([treeOf(rig.folder), shown(rig), ends(rig).map(([, outcome]) => outcome)]).toEqual([before, [], ['barred']])
    const [kind, text] = result() ?? []
    expect(kind).toBe('error')
    expect(text).toMatch(/^ran\n[^]*Your rule path locked\/\*\* denies this step\. Nothing was applied\.$/u)
  })

  it.each([
    [
      'while its changes wait',
      'echo ran; echo x > a.txt',
      /ran in a copy[^]*exit code 0[^]*none of its changes were applied[^]*stopped[^]*ran$/u,
    ],
    [
      'while it runs',
      'echo ran; echo x > a.txt; sleep 300',
      /^ran\n[^]*ran in a copy of the folder, and none of its changes were applied\.$/u,
    ],
  ])('tells the agent that nothing was applied if the user stops the turn %s', async (_, command, told) => {
    const { rig, before, provider } = await running(command)
    await (command.includes('sleep') ? heard(rig.session, 'TOOL_CALL_OUTPUT_DELTA') : waiting(rig.session))
    void rig.session.stop()
    await rig.session.idle()
    rig.session.submit('What happened?')
    await rig.session.idle()
    expect(treeOf(rig.folder)).toEqual(before)
    const results = provider.requests[1]?.turns.flatMap((turn) => (turn.kind === 'tool_results' ? turn.results : []))
    expect(results).toMatchObject([{ isError: true, output: expect.stringMatching(told) }])
  })

  it('drops its changes in plan mode, and tells the agent', async () => {
    const { rig, before, result } = await running('echo x >> a.txt; echo ran', { 'a.txt': 'a' }, { mode: 'plan' })
    await rig.session.idle()
    expect(treeOf(rig.folder)).toEqual(before)
    expect(result()).toEqual(['ok', expect.stringMatching(/ran[^]*not kept[^]*a\.txt/u)])
  })

  it.each(['accept-edits', 'auto'] as const)('applies its changes, even deletions, without approval in %s mode', async (mode) => {
    const { rig, file } = await running('echo x >> a.txt; rm b.txt', { 'a.txt': 'a', 'b.txt': 'b' }, { mode })
    await rig.session.idle()
    expect(shown(rig)).toEqual([])
    expect([await file('a.txt'), existsSync(join(rig.folder, 'b.txt'))]).toEqual(['ax\n', false])
  })

  it.each(['accept-edits', 'auto'] as const)('needs approval in %s mode to change a control file', async (mode) => {
    const { rig, before } = await running('mkdir -p .git/hooks && echo evil > .git/hooks/pre-commit', {}, { mode })
    await waiting(rig.session)
    expect(only(rig, 'APPROVAL_REQUESTED')[0]?.reason).toContain('pre-commit')
    expect(treeOf(rig.folder)).toEqual(before)
  })

  it('runs for real in full mode, without a look whether copies can be made', async () => {
    const { rig, file } = await running('echo x > a.txt', {}, { mode: 'full' })
    await rig.session.idle()
    expect([await file('a.txt'), rig.kinds().includes('COPY_STARTED')]).toEqual(['x\n', false])
    expect(existsSync(join(rig.data, 'copies'))).toBe(false)
  })

  it('applies nothing if a user changed one of the files while the request waited', async () => {
    const { rig, result, file } = await running('echo x >> a.txt; echo y >> b.txt', { 'a.txt': 'a', 'b.txt': 'b' })
    const [call] = await waiting(rig.session)
    await writeFile(join(rig.folder, 'b.txt'), 'mine')
    answerCall(rig.session, call)
    await rig.session.idle()
    expect([await file('a.txt'), await file('b.txt')]).toEqual(['a', 'mine'])
    expect(result()).toEqual(['error', expect.stringContaining('Nothing was applied')])
  })

  it('sees what an earlier edit of the same round has written', async () => {
    const { rig } = await rigFor([calls(write('a.txt', 'fresh'), shell('cat a.txt > b.txt')), say('Done.')], {
      inCopies: true,
      mode: 'accept-edits',
    })
    rig.session.submit('go')
    await rig.session.idle()
    expect(await readFile(join(rig.folder, 'b.txt'), 'utf8')).toBe('fresh')
  })

  it('runs again, in a copy that permits it, if it failed to rename a folder, and then needs approval only for its changes', async () => {
    const rename = `${process.execPath} -e "require('fs').renameSync('d', 'e')"`
    const { rig, result, file } = await running(`echo tried >> tries.txt; ${rename}`, { 'd/a.txt': 'a' })
    const [call] = await waiting(rig.session)
    expect(shown(rig)).toEqual([['command', 'folder d', 'delete d/a.txt', 'write e/a.txt', 'write tries.txt']])
    answerCall(rig.session, call)
    await rig.session.idle()
    expect([result()?.[0], await file('e/a.txt'), await file('tries.txt')]).toEqual(['ok', 'a', 'tried\n'])
  })

  it('tells the agent which of its changes are never applied', async () => {
    const { rig, result } = await running('echo x > a.txt; mkfifo pipe', {}, { mode: 'accept-edits' })
    await rig.session.idle()
    expect(result()).toEqual(['ok', expect.stringContaining('Never applied: pipe (fifo).')])
    expect(existsSync(join(rig.folder, 'a.txt'))).toBe(true)
  })

  it('keeps its output apart from Countersign’s notes, and a note reports a process that it left running', async () => {
    const { rig, result } = await running('echo done > a.txt; echo printed; sleep 300 >/dev/null 2>&1 & disown', {})
    await waiting(rig.session)
    expect(only(rig, 'COPY_ENDED')).toMatchObject([
      { tail: 'printed', notes: [expect.stringMatching(/^A process that the command left running/u)] },
    ])
    answerCall(rig.session, (await waiting(rig.session))[0])
    await rig.session.idle()
    expect(result()).toEqual(['ok', expect.not.stringContaining('Still running')])
    expect(result()).toEqual(['ok', expect.stringContaining('Run a command in the background to keep it running.')])
  })

  it('never follows a link out of the folder when its changes are applied', async () => {
    const { rig } = await rigFor([calls(shell('echo x > out/evil.txt; echo y > in.txt')), say('Done.')], {
      inCopies: true,
      mode: 'accept-edits',
    })
    await symlink(rig.data, join(rig.folder, 'out'))
    rig.session.submit('go')
    await rig.session.idle()
    expect(existsSync(join(rig.data, 'evil.txt'))).toBe(false)
    expect(await readFile(join(rig.folder, 'in.txt'), 'utf8')).toBe('y\n')
  })

  it('keeps permissions that let only the owner read a file', async () => {
    const { rig } = await running('umask 077; echo secret > s.txt', {}, { mode: 'accept-edits' })
    await rig.session.idle()
    expect(statSync(join(rig.folder, 's.txt')).mode & 0o777).toBe(0o600)
    await chmod(join(rig.folder, 's.txt'), 0o600)
  })
})
