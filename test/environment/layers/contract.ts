import { execFile } from 'node:child_process'
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { mapAtOnce } from '../../../shared/lib/map-at-once.ts'
import { LINK_CASES } from './contract-links.ts'
import { FILES, type Ground, type LayerKind, ONE, openGround, same, TWO } from './contract-ground.ts'

/**
 * What every kind of layers promises, as a list of cases that need no test runner: they also run in a process of an ordinary user. Each
 * throws if the promise is broken.
 */
const CASES: Readonly<Record<string, (ground: Ground) => Promise<void>>> = {
  ...LINK_CASES,
  async 'a new layer contains the folder, and has no changes'({ inside, changes }) {
    same(await inside('cat a b dir/one dir/inner/two old.log; ls -A | tr "\\n" " "'), 'AB12log.git .gitignore a b dir old.log ')
    same(await changes(), {})
  },
  async 'created, modified and deleted files are changes, and the folder stays as it is'({ folder, inside, changes }) {
    await inside('printf own > a; rm b; mkdir -p x/y; printf z > x/y/z; chmod 700 dir/one')
    same(await changes(), { a: 'A → own', b: 'B → none', 'dir/one': '1 → 1', 'x/y/z': 'none → z' })
    same(readFileSync(join(folder, 'a'), 'utf8'), 'A')
    same(readdirSync(folder).toSorted(), ['.git', '.gitignore', 'a', 'b', 'dir', 'old.log'])
  },
  async 'ignored files and links, empty folders and git’s data are no changes'({ inside, changes }) {
    await inside(
      'printf x >> old.log; printf x > new.log; mkdir -p node_modules/m empty .git/opencode; printf x > node_modules/m/i; ln -s a l.log; ln -s ../a node_modules/l; printf x > .git/opencode/x; printf y > .git/HEAD',
    )
    same(await changes(), {})
  },
  async 'what is not brought in is named with its kind, if it is new or changed and not ignored'({ folder, inside, layers, left }) {
    symlinkSync(Buffer.from([0xff]), join(folder, 'link'))
    chmodSync(join(folder, 'dir', 'one'), 0o4755)
    await layers.make(ONE, AbortSignal.timeout(60_000))
    same(await left(), [])
    await inside(
      'ln -s "$(printf "\\376")" l; ln -sfn "$(printf "\\375")" link; ln -s a brought-in; mkfifo p; mkdir -p empty/inner x; printf x > x/y; chmod 6755 a; chmod 755 dir/one',
    )
    await inside(
      'python3 -c "import socket; socket.socket(socket.AF_UNIX).bind(\'s\')"; mkdir -p node_modules; mkfifo node_modules/p q.log',
    )
    same(await left(), ['a set-id-bits', 'dir/one removed set-id-bits', 'empty/inner folder', 'l link', 'link link', 'p fifo', 's socket'])
    same(await left(), await left())
    await inside('rm -r l p s empty; ln -sfn "$(printf "\\377")" link; chmod 644 a; chmod 4755 dir/one')
    same(await left(), [])
  },
  async 'removed folders are named, unless something is in their place'({ inside, left, changes }) {
    await inside('rm -r dir')
    same(await left(), ['dir removed folder'])
    same(await changes(), { 'dir/inner/two': '2 → none', 'dir/one': '1 → none' })
    await inside('ln -s .git dir')
    same(await left(), [])
    same(await changes(), { dir: 'none → link to .git', 'dir/inner/two': '2 → none', 'dir/one': '1 → none' })
  },
  async 'what is ignored is what the layer’s own .gitignore files ignore'({ inside, changes }) {
    await inside(
      'printf "out/\\n" >> .gitignore; mkdir out sub; printf x > out/x; printf "*.tmp\\n" > sub/.gitignore; printf x > sub/a.tmp; printf x > sub/b',
    )
    const rules = FILES['.gitignore']
    same(await changes(), { '.gitignore': `${rules} → ${rules}out/\n`, 'sub/.gitignore': 'none → *.tmp\n', 'sub/b': 'none → x' })
    await inside('rm .gitignore; printf x > q.log')
    const unruled = await changes()
    same([unruled['.gitignore'], unruled['q.log'], unruled['out/x']], [`${rules} → none`, 'none → x', 'none → x'])
  },
  async 'what the session ignores in its layer stays a change if the folder has it, changed or removed'({ inside, changes }) {
    await inside('printf own > a; rm b; printf x > dir/one; rm dir/inner/two')
    const before = await changes()
    const rules = 'a\\nb\\ndir/\\nnew\\n'
    await inside(`printf "${rules}" >> .gitignore; printf x > new; printf y > dir/new; printf z > dir/inner/new; printf x >> old.log`)
    const { '.gitignore': ignoring, ...after } = await changes()
    same([typeof ignoring, after], ['string', before])
    await inside('rm -r dir')
    same((await changes())['dir/one'], '1 → none')
  },
  async 'a file in whose place the session makes a folder that it ignores counts as deleted'({ inside, changes }) {
    await inside('rm a; mkdir a; printf "a/\\n" >> .gitignore; printf x > a/x')
    const { '.gitignore': ignoring, ...others } = await changes()
    same([typeof ignoring, others], ['string', { a: 'A → none' }])
  },
  async 'rules of a folder that was removed and made again do not count any more'({ folder, layers, inside, changes }) {
    writeFileSync(join(folder, 'dir', '.gitignore'), 'made\n')
    writeFileSync(join(folder, 'dir', 'inner', '.gitignore'), 'deep\n')
    writeFileSync(join(folder, 'dir', 'made'), 'ignored in the folder')
    await layers.make(ONE, AbortSignal.timeout(60_000))
    await inside('rm -r dir; mkdir -p dir/inner; printf x > dir/made; printf y > dir/inner/deep')
    const { 'dir/made': made, 'dir/inner/deep': deep } = await changes()
    same([made?.endsWith('→ x'), deep], [true, 'none → y'])
    same(await changes(), await changes())
  },
  async 'removed folders, and folders in the place of others'({ inside, changes }) {
    await inside('rm -r dir; mkdir dir; printf 3 > dir/three')
    same(await changes(), { 'dir/inner/two': '2 → none', 'dir/one': '1 → none', 'dir/three': 'none → 3' })
    await inside('rm -r dir; printf file > dir')
    same(await changes(), { dir: 'none → file', 'dir/inner/two': '2 → none', 'dir/one': '1 → none' })
    await inside('rm dir; mkdir -p dir/inner; printf 1 > dir/one; printf 2 > dir/inner/two')
    same(await changes(), {})
  },
  async 'removed folders, after a file in them was removed'({ inside, changes }) {
    await inside('rm dir/one')
    same(await changes(), { 'dir/one': '1 → none' })
    await inside('rm -r dir')
    same(await changes(), { 'dir/inner/two': '2 → none', 'dir/one': '1 → none' })
    await inside('mkdir dir; printf 1 > dir/one')
    same(await changes(), { 'dir/inner/two': '2 → none' })
  },
  async 'removed folders that are made again, whose inode may be that of the removed one'({ inside, changes }) {
    for (let time = 0; time < 5; time++) {
      await inside('mkdir -p dir/inner; printf own > dir/inner/two')
      same(await changes(), { 'dir/inner/two': '2 → own' })
      await inside('rm -r dir/inner; mkdir dir/inner')
      same(await changes(), { 'dir/inner/two': '2 → none' })
    }
  },
  async 'renamed files and folders'({ inside, changes }) {
    await inside('mv a c; mv dir moved')
    same(await changes(), {
      a: 'A → none',
      c: 'none → A',
      'dir/inner/two': '2 → none',
      'dir/one': '1 → none',
      'moved/inner/two': 'none → 2',
      'moved/one': 'none → 1',
    })
  },
  async 'a file that was changed back is no change'({ inside, changes }) {
    await inside('printf own > a; rm b; printf n > n')
    await changes()
    await inside('printf A > a; printf B > b; rm n')
    same(await changes(), {})
  },
  async 'the base is the version of the first change, even if the folder changes after that'({ folder, inside, changes, reopened }) {
    await inside('printf own > a; rm -r dir; printf n > n')
    const first = await changes()
    writeFileSync(join(folder, 'a.new'), 'user')
    renameSync(join(folder, 'a.new'), join(folder, 'a'))
    writeFileSync(join(folder, 'dir', 'one'), 'user')
    rmSync(join(folder, 'dir', 'inner'), { recursive: true })
    writeFileSync(join(folder, 'n'), 'user')
    // What the user has deleted too is the same on both sides, so it is no change any more.
    const { 'dir/inner/two': deletedTwice, ...left } = first
    same(deletedTwice, '2 → none')
    same(left, { a: 'A → own', 'dir/one': '1 → none', n: 'none → n' })
    same(await changes(), left)
    same(await changes(ONE, reopened()), left)
  },
  async 'what has been brought in is no change, and the next change is based on it'({ folder, inside, changes, reopened }) {
    await inside('printf own > a; printf n > n')
    writeFileSync(join(folder, 'a'), 'own')
    same(await changes(), { n: 'none → n' })
    await inside('printf later > a')
    same(await changes(ONE, reopened()), { a: 'own → later', n: 'none → n' })
  },
  async 'what the folder has changed is known, until the layer is based on it'({ folder, inside, layers }) {
    await inside('printf own > a')
    await layers.changes(ONE)
    writeFileSync(join(folder, 'a'), 'user')
    const moved = (await layers.moved(ONE)).files
    same(
      moved.map(({ path }) => path),
      ['a'],
    )
    await layers.rebase(
      ONE,
      moved.map(({ path, own }) => ({ path, base: own })),
    )
    same((await layers.moved(ONE)).files, [])
    same(
      (await layers.changes(ONE)).files.map(({ path }) => path),
      ['a'],
    )
  },
  async 'a layer can be based on any version'({ inside, layers, changes, stored, reopened }) {
    await inside('printf own > a; rm b; printf n > n')
    const bases = [
      { path: 'a', base: await stored('signed') },
      { path: 'b', base: null },
      { path: 'n', base: await stored('n') },
    ]
    await layers.rebase(ONE, bases)
    same(await changes(), { a: 'signed → own' })
    same(await changes(ONE, reopened()), { a: 'signed → own' })
    await inside('printf signed > a; printf later > n')
    same(await changes(), { n: 'n → later' })
    await reopened().rebase(ONE, [{ path: 'n', base: await stored('other') }])
    same(await changes(), { n: 'other → later' })
  },
  async 'a base that is stored before the file is written counts once it is written, also in another process'({
    folder,
    inside,
    layers,
    changes,
    stored,
    reopened,
  }) {
    await inside('printf own > a; printf own > b')
    await changes()
    writeFileSync(join(folder, 'a'), 'user')
    writeFileSync(join(folder, 'b'), 'user')
    const user = await stored('user')
    const merged = await stored('merged')
    await layers.rebase(ONE, [
      { path: 'a', base: user, own: merged },
      { path: 'b', base: user, own: null },
    ])
    same(await changes(), { a: 'A → own', b: 'B → own' })
    await inside('printf merged > a')
    same(await changes(ONE, reopened()), { a: 'user → merged', b: 'B → own' })
    await inside('printf later > a; rm b')
    same(await changes(), { a: 'user → later', b: 'user → none' })
    same((await reopened().moved(ONE)).files, [])
  },
  async 'another base replaces one that was to count later'({ inside, layers, changes, stored }) {
    await inside('printf own > a')
    await changes()
    await layers.rebase(ONE, [{ path: 'a', base: await stored('user'), own: await stored('merged') }])
    await layers.rebase(ONE, [{ path: 'a', base: await stored('signed') }])
    await inside('printf merged > a')
    same(await changes(), { a: 'signed → merged' })
  },
  async 'a base that is stored while another one begins to count is kept'({ inside, layers, changes, stored, reopened }) {
    await inside('printf own > a; printf own > b')
    await changes()
    for (const text of ['one', 'two', 'three']) {
      await layers.rebase(ONE, [{ path: 'a', base: await stored('user'), own: await stored('own') }])
      await Promise.all([layers.moved(ONE), reopened().rebase(ONE, [{ path: 'b', base: await stored('user'), own: await stored(text) }])])
      await inside(`printf ${text} > b`)
      same(await changes(), { a: 'user → own', b: `user → ${text}` })
      await layers.rebase(ONE, [{ path: 'b', base: await stored('B') }])
    }
  },
  async 'a layer stays usable if its file of expected bases is empty, as after a power cut'({ inside, layers, changes, stored, expected }) {
    await inside('printf own > a')
    await changes()
    await layers.rebase(ONE, [{ path: 'a', base: await stored('user'), own: await stored('merged') }])
    writeFileSync(expected, '')
    same(await changes(), { a: 'A → own' })
    await layers.rebase(ONE, [{ path: 'a', base: await stored('user'), own: await stored('merged') }])
    await inside('printf merged > a')
    same(await changes(), { a: 'user → merged' })
  },
  async 'names of every kind'({ inside, changes }) {
    const names = ['with space', 'ümläut', "quo'te", 'back\\slash', 'line\nbreak', '-dash', '日本']
    await inside(
      names.map((name) => `printf x > ./$'${name.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`).join('; '),
    )
    same(Object.keys(await changes()).toSorted(), names.toSorted())
  },
  async 'modes are part of the change'({ inside, changes, layers }) {
    await inside('chmod 755 a; printf s > s; chmod 750 s')
    same(await changes(), { a: 'A → A', s: 'none → s' })
    same(
      (await layers.changes(ONE)).files.map(({ base, own }) => [base?.mode, own?.mode]),
      [
        [0o644, 0o755],
        [undefined, 0o750],
      ],
    )
  },
  async 'two sessions do not see each other'({ layers, inside, changes }) {
    await layers.make(TWO, AbortSignal.timeout(60_000))
    await inside('printf one > a')
    await inside('printf two > a; rm b', TWO)
    same([await changes(), await changes(TWO)], [{ a: 'A → one' }, { a: 'A → two', b: 'B → none' }])
    await layers.remove(TWO)
    same([await changes(), await changes(TWO)], [{ a: 'A → one' }, {}])
  },
  async 'a layer is made again only if it is missing'({ layers, inside, changes, folder }) {
    await inside('printf own > a')
    await layers.makeIfMissing(ONE)
    same(await changes(), { a: 'A → own' })
    await layers.remove(ONE)
    same(await changes(), {})
    writeFileSync(join(folder, 'b'), 'user')
    await layers.makeIfMissing(ONE)
    same(await inside('cat a b'), 'Auser')
    await inside('printf own > b')
    same(await changes(), { b: 'user → own' })
    await layers.make(ONE, AbortSignal.timeout(60_000))
    same(await changes(), {})
  },
  async 'entriesIn tells what the layer contains'({ layers, inside }) {
    await inside('printf own > a; rm -r dir; mkdir -p dir/inner; printf n > n')
    const { entries } = await layers.entriesIn(ONE, ['a', 'b', 'n', 'none', 'dir', 'dir/one', 'dir/inner', 'dir/inner/two'])
    same(
      entries.map((entry) => (entry?.kind === 'file' ? entry.size : entry?.kind)),
      [3, 1, 1, undefined, 'folder', undefined, 'folder', undefined],
    )
  },
  async 'entriesOf tells what the folder contains now'({ layers, folder }) {
    const { entries, device } = await layers.entriesOf(['a', 'none', 'dir'])
    same(
      entries.map((entry) => entry?.kind),
      ['file', undefined, 'folder'],
    )
    same(device, String(statSync(folder).dev))
  },
}

/** Number of cases that run at the same time. Each waits for programs most of the time. */
const AT_ONCE = 3

/** Runs every case. Returns the failures, by the case's name. */
export async function brokenPromises(kind: LayerKind): Promise<Readonly<Record<string, string>>> {
  const broken: Record<string, string> = {}
  await mapAtOnce(Object.entries(CASES), AT_ONCE, async ([name, check]) => {
    const base = realpathSync(mkdtempSync(join(tmpdir(), 'contract-')))
    chmodSync(base, 0o755)
    try {
      const ground = openGround(kind, base)
      await ground.layers.make(ONE, AbortSignal.timeout(60_000))
      await check(ground)
    } catch (error) {
      broken[name] = error instanceof Error ? error.message : String(error)
    } finally {
      // The kernel creates a folder without any permissions in the work folder.
      await promisify(execFile)('bash', ['--norc', '-c', 'chmod -R u+rwX "$0"; rm -rf "$0"', base]).catch(() => {})
    }
  })
  return broken
}
