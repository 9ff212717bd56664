import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { CopyChange } from '../../../main/agent/ports/command-copies.ts'
import { createLocalCommandCopies } from '../../../main/environment/copy/local-command-copies.ts'
import { createLayerCopies } from '../../../main/environment/layers/overlay/layer-copies.ts'
import { describe, expect, it } from 'vitest'
import { hasNoCopies } from '../copy/support.ts'
import { openOverlayLayers, openShell, SESSION, shown } from './support.ts'

type Opened = Awaited<ReturnType<typeof opened>>

async function opened(files: Readonly<Record<string, string>>) {
  const overlay = openOverlayLayers(files)
  await overlay.layers.make(SESSION, AbortSignal.timeout(60_000))
  const shell = await openShell(overlay.layers)
  /** Replaces a file of the real folder by renaming another one, as editors and git do. */
  const replace = (path: string, text: string): void => {
    const at = join(overlay.folder, path)
    writeFileSync(`${at}.tmp`, text)
    renameSync(`${at}.tmp`, at)
  }
  return { ...overlay, shell, replace, changed: async () => shown(await overlay.layers.changes(SESSION), overlay.blobs) }
}

/** Each makes the layer differ from the folder. The change set is compared with what is listed. */
const CASES: readonly {
  readonly name: string
  readonly inside: string
  readonly outside?: (opened: Opened) => void
  readonly after?: string
  readonly changes: Readonly<Record<string, string>>
}[] = [
  {
    name: 'a removed folder is the removal of its files',
    inside: 'rm -r dir',
    changes: { 'dir/one': '1 → none', 'dir/inner/two': '2 → none' },
  },
  {
    name: 'a folder that was removed and made again hides the files that it had',
    inside: 'rm -r dir; mkdir dir; printf new > dir/three; printf other > dir/one',
    changes: { 'dir/one': '1 → other', 'dir/inner/two': '2 → none', 'dir/three': 'none → new' },
  },
  {
    name: 'a file in the place of a folder',
    inside: 'rm -r dir; printf file > dir',
    changes: { dir: 'none → file', 'dir/one': '1 → none', 'dir/inner/two': '2 → none' },
  },
  {
    name: 'a folder in the place of a file',
    inside: 'rm a; mkdir a; printf x > a/b',
    changes: { a: 'A → none', 'a/b': 'none → x' },
  },
  { name: 'a link in the place of a file, which is not followed', inside: 'rm a; ln -s /etc/passwd a', changes: { a: 'A → /etc/passwd' } },
  {
    name: 'a renamed folder',
    inside: 'mv dir moved',
    changes: { 'dir/one': '1 → none', 'dir/inner/two': '2 → none', 'moved/one': 'none → 1', 'moved/inner/two': 'none → 2' },
  },
  { name: 'a file that was opened for writing and left as it was', inside: 'exec 5<>a; exec 5>&-; touch -d 2001-01-01 a', changes: {} },
  { name: 'another mode', inside: 'chmod 755 a', changes: { a: 'A → A' } },
  { name: 'a file that came and went', inside: 'printf x > x; rm x', changes: {} },
  { name: 'hard links to one new file', inside: 'printf x > x; ln x y', changes: { x: 'none → x', y: 'none → x' } },
  { name: 'a hard link to an old file', inside: 'ln a b', changes: { b: 'none → A' } },
  {
    name: 'ignored files and what is in .git are left out',
    inside:
      'mkdir -p node_modules/m .git/opencode; printf x > node_modules/m/x; printf x > .git/opencode/x; printf x > q.log; mkdir p; printf x > p/q.log',
    changes: {},
  },
  {
    name: 'a removed file that the user has put back by another one is a conflict with the version that was removed',
    inside: 'cat a; rm a',
    outside: ({ replace }) => replace('a', 'user'),
    changes: { a: 'A → none' },
  },
]

describe.skipIf(hasNoCopies)('the change set of a layer', () => {
  it.each(CASES)('$name', async ({ inside, outside, changes }) => {
    const all = await opened({ a: 'A', 'dir/one': '1', 'dir/inner/two': '2', '.gitignore': 'node_modules/\n*.log\n', '.git/HEAD': 'ref' })
    await all.shell.ask(inside)
    await all.layers.mark(SESSION)
    outside?.(all)
    expect(await all.changed()).toEqual(changes)
    // The same again, with what was kept, and from the disk alone.
    expect(await all.changed()).toEqual(changes)
    expect(shown(await all.create().changes(SESSION), all.blobs)).toEqual(changes)
  })

  it('forgets a version when the layer shows the folder again', async () => {
    const { shell, layers, changed, replace } = await opened({ '.gitignore': '' })
    await shell.ask('printf own > new')
    await layers.mark(SESSION)
    await shell.ask('rm new')
    expect(await changed()).toEqual({})
    replace('new', 'user')
    await layers.refresh(SESSION)
    await shell.ask('printf both > new')
    expect(await changed()).toEqual({ new: 'user → both' })
  })
})

describe.skipIf(hasNoCopies)('while the folder changes', () => {
  it('a version is the one that was there at the first change', async () => {
    const { shell, layers, changed, replace } = await opened({ a: 'A' })
    await shell.ask('printf own > a')
    await layers.mark(SESSION)
    replace('a', 'user')
    expect(await changed()).toEqual({ a: 'A → own' })
  })

  it('a file that the user has written in place is the base of what a program then changes', async () => {
    const { shell, changed, folder } = await opened({ a: 'A', b: 'B' })
    await shell.ask('cat a b')
    appendFileSync(join(folder, 'a'), ' and more')
    await shell.ask('sleep 0.05; printf " own" >> a; printf own > b')
    appendFileSync(join(folder, 'b'), ' and more')
    // What the user wrote after the program is not in the layer.
    expect(await changed()).toEqual({ a: 'A and more → A and more own', b: ' → own' })
  })

  it('a file that was replaced between two calls is never taken for the one inside', async () => {
    const { shell, changed, replace } = await opened({ a: 'A' })
    await shell.ask('cat a')
    replace('a', 'user')
    // The program still sees the old file, and would take back what the user wrote.
    await shell.ask('printf " own" >> a')
    expect(await changed()).toEqual({ a: ' → A own' })
  })

  it('a file in a folder that was replaced is never taken for the one inside', async () => {
    const { shell, changed, folder } = await opened({ 'dir/a': 'A', 'other/a': 'user' })
    await shell.ask('cat dir/a')
    renameSync(join(folder, 'dir'), join(folder, 'old'))
    renameSync(join(folder, 'other'), join(folder, 'dir'))
    await shell.ask('printf " own" >> dir/a')
    expect(await changed()).toEqual({ 'dir/a': ' → A own' })
  })

  it('programs see what was replaced once the layer is refreshed', async () => {
    const { shell, layers, changed, replace, folder } = await opened({ a: 'A', 'dir/b': 'B' })
    await shell.ask('cat a dir/b missing')
    replace('a', 'user')
    rmSync(join(folder, 'dir'), { recursive: true })
    writeFileSync(join(folder, 'missing'), 'made')
    await layers.refresh(SESSION)
    expect(await shell.ask('cat a missing; ls')).toBe('usermadea\nmissing')
    await shell.ask('printf " own" >> a')
    expect(await changed()).toEqual({ a: 'user → user own' })
  })

  it('a new version is the base once it was brought in', async () => {
    const { shell, layers, changed } = await opened({ a: 'A' })
    await shell.ask('printf own > a')
    const { files } = await layers.changes(SESSION)
    await layers.rebase(
      SESSION,
      files.map(({ path, own }) => ({ path, base: own })),
    )
    expect(await changed()).toEqual({})
    await shell.ask('printf more > a')
    expect(await changed()).toEqual({ a: 'own → more' })
  })
})

describe.skipIf(hasNoCopies)('writing into a layer', () => {
  it('changes nothing if a program has changed one of the files since it was read', async () => {
    const { base, shell, layers, folder, blobs } = await opened({ a: 'A', b: 'B' })
    const throwAway = createLocalCommandCopies({ folder, layers: join(base, 'copies') })
    const copies = createLayerCopies({ folder, sessionId: SESSION, layers, throwAway })
    const paths = ['a', 'b', 'c']
    const { entries, device } = await layers.entriesIn(SESSION, paths)
    const after = { kind: 'file', mode: 0o644, size: 6, hash: await blobs.put(Buffer.from('merged')), mtimeMs: 0 } as const
    const changes = paths.map((path, index): CopyChange => {
      const before = entries[index]
      return before ? { kind: 'modified', path, before, after } : { kind: 'created', path, after }
    })
    const kept = { version: 1, folder, device, changes, obstacles: [], leftOut: [] } as const
    const apply = () => copies.apply(kept, () => Promise.resolve(Buffer.from('merged')))
    for (const path of ['b', 'c']) {
      await shell.ask(`cp ${path} ${path}.was 2>/dev/null; printf mine > ${path}`)
      expect(await apply()).toMatchObject({ kind: 'refused', reason: expect.stringContaining(`${path} has changed in the layer`) })
      expect(await shell.ask(`cat a ${path}; mv ${path}.was ${path} 2>/dev/null || rm ${path}`)).toBe('Amine')
    }
    expect(await apply()).toEqual({ kind: 'applied' })
    expect(await shell.ask('cat a b c')).toBe('mergedmergedmerged')
  })

  it('is seen by programs inside, and never reaches the folder', async () => {
    const { shell, layers, folder, changed } = await opened({ a: 'A', b: 'B' })
    await shell.ask('printf own > a; rm b')
    await layers.write(SESSION, [
      { path: 'a', bytes: Buffer.from('A'), mode: 0o644 },
      { path: 'b', bytes: Buffer.from('B'), mode: 0o644 },
      { path: 'x/y/z', bytes: Buffer.from('Z'), mode: 0o755 },
    ])
    expect(await shell.ask('cat a b x/y/z; stat -c %a x/y/z; ls -A')).toBe('ABZ755\na\nb\nx')
    expect(await changed()).toEqual({ 'x/y/z': 'none → Z' })
    await layers.write(SESSION, [{ path: 'x/y/z', bytes: null, mode: 0 }])
    expect(await shell.ask('ls x/y')).toBe('')
    expect(readdirSync(folder)).toEqual(['a', 'b'])
  })

  it('is possible when nothing runs inside', async () => {
    const { shell, layers, folder, changed } = await opened({ a: 'A' })
    await shell.close()
    await layers.write(SESSION, [{ path: 'a', bytes: Buffer.from('own'), mode: 0o644 }])
    expect(await changed()).toEqual({ a: 'A → own' })
    expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('A')
  })

  it('goes through a process in its own mount namespace, never through one that sees the real folder', async () => {
    const { shell, folder, changed } = await opened({ a: 'A' })
    const { pid, files } = shell.running
    expect(readlinkSync(`/proc/${pid}/ns/mnt`)).not.toBe(readlinkSync('/proc/self/ns/mnt'))
    writeFileSync(join(files, 'a'), 'own')
    expect([await shell.ask('cat a'), await changed()]).toEqual(['own', { a: 'A → own' }])
    expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('A')
  })

  it('follows no link, which could lead out of the layer', async () => {
    const { shell, layers, base, folder } = await opened({ a: 'A' })
    mkdirSync(join(base, 'outside'))
    await shell.ask(`ln -s ${base}/outside out; ln -s ${folder} self`)
    for (const path of ['out/x', 'self/a'])
      await expect(layers.write(SESSION, [{ path, bytes: Buffer.from('x'), mode: 0o644 }])).rejects.toThrow(/ELOOP|ENOTDIR/)
    expect(readdirSync(join(base, 'outside'))).toEqual([])
    expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('A')
  })
})

describe.skipIf(hasNoCopies)('git in a layer', () => {
  it('commits and branches inside only, and its data is no part of the change set', async () => {
    const { shell, folder, changed } = await opened({ a: 'A' })
    const git = (...args: readonly string[]): string =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: folder, encoding: 'utf8' }).trim()
    git('init', '-q', '-b', 'main')
    git('add', '-A')
    git('commit', '-qm', 'first')
    const before = git('rev-parse', 'HEAD')
    await shell.ask(
      'git config --global --add safe.directory "*"; export GIT_CONFIG_COUNT=2 GIT_CONFIG_KEY_0=user.name GIT_CONFIG_VALUE_0=t GIT_CONFIG_KEY_1=user.email GIT_CONFIG_VALUE_1=t@t',
    )
    expect(await shell.ask('git checkout -qb work && printf own > a && git commit -qam second && git log --format=%s')).toBe(
      'second\nfirst',
    )
    expect(await changed()).toEqual({ a: 'A → own' })
    expect([git('rev-parse', 'HEAD'), git('branch', '--list'), git('status', '--porcelain')]).toEqual([before, '* main', ''])
    expect(existsSync(join(folder, '.git', 'refs', 'heads', 'work'))).toBe(false)
    expect(statSync(join(folder, 'a')).size).toBe(1)
  })
})
