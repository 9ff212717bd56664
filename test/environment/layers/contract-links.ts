import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Ground, ONE, same } from './contract-ground.ts'

/** What every kind of layers promises about links, as a part of `contract.ts`. */
export const LINK_CASES: Readonly<Record<string, (ground: Ground) => Promise<void>>> = {
  async 'links are changes: new, changed, removed, in the place of files and folders, and back'({ folder, layers, inside, changes }) {
    symlinkSync('a', join(folder, 'link'))
    symlinkSync('nowhere', join(folder, 'dir', 'lost'))
    await layers.make(ONE, AbortSignal.timeout(60_000))
    same(await changes(), {})
    await inside('ln -s dir/one new; ln -sfn b link; rm b; ln -s missing b')
    same(await changes(), { new: 'none → link to dir/one', link: 'link to a → link to b', b: 'B → link to missing' })
    same(await changes(), await changes())
    await inside('rm new link; printf text > link; rm b; printf B > b; rm -r dir')
    same(await changes(), {
      link: 'link to a → text',
      'dir/inner/two': '2 → none',
      'dir/lost': 'link to nowhere → none',
      'dir/one': '1 → none',
    })
    await inside('ln -sfn a link; mkdir -p dir/inner; printf 1 > dir/one; printf 2 > dir/inner/two; ln -s nowhere dir/lost')
    same(await changes(), {})
    await inside('rm link; mkdir link; printf in > link/in')
    same(await changes(), { link: 'link to a → none', 'link/in': 'none → in' })
  },
  async 'behind a link there is nothing of the folder or of the layer, and what it leads to stays as it is'(ground) {
    const { folder, layers, inside, changes } = ground
    const outside = mkdtempSync(join(tmpdir(), 'countersign-outside-'))
    writeFileSync(join(outside, 'x'), 'OUT')
    symlinkSync(outside, join(folder, 'out'))
    await layers.make(ONE, AbortSignal.timeout(60_000))
    await inside(`rm -r dir; ln -s ${outside} dir; rm out; mkdir out; printf OUT > out/x; printf own > out/y`)
    const wanted = {
      dir: `none → link to ${outside}`,
      'dir/inner/two': '2 → none',
      'dir/one': '1 → none',
      out: `link to ${outside} → none`,
      'out/x': 'none → OUT',
      'out/y': 'none → own',
    }
    same(await changes(), wanted)
    same(
      (await layers.entriesOf(['out/x', 'dir/one'])).entries.map((entry) => entry?.kind ?? null),
      [null, 'file'],
    )
    same(
      (await layers.entriesIn(ONE, ['out/x', 'dir/one', 'dir/x'])).entries.map((entry) => entry?.kind ?? null),
      ['file', null, null],
    )
    // The user makes the same changes, so the layer is based on them from now on.
    rmSync(join(folder, 'out'))
    mkdirSync(join(folder, 'out'))
    for (const [name, text] of [
      ['x', 'OUT'],
      ['y', 'own'],
    ] as const)
      writeFileSync(join(folder, 'out', name), text)
    rmSync(join(folder, 'dir'), { recursive: true })
    symlinkSync(outside, join(folder, 'dir'))
    same(await changes(), {})
    same((await layers.moved(ONE)).files, [])
    await inside('rm -r out; ln -s a out; rm dir; mkdir dir; printf 1 > dir/one')
    same(await changes(), {
      dir: `link to ${outside} → none`,
      'dir/one': 'none → 1',
      out: 'none → link to a',
      'out/x': 'OUT → none',
      'out/y': 'own → none',
    })
    same(readdirSync(outside), ['x'])
    same(readFileSync(join(outside, 'x'), 'utf8'), 'OUT')
    rmSync(outside, { recursive: true })
  },
  async 'a link that changes in the folder has moved, and its base is the target of the first change'({ folder, layers, inside, changes }) {
    symlinkSync('a', join(folder, 'link'))
    await layers.make(ONE, AbortSignal.timeout(60_000))
    await inside('ln -sfn b link')
    same(await changes(), { link: 'link to a → link to b' })
    rmSync(join(folder, 'link'))
    symlinkSync('user', join(folder, 'link'))
    same(await changes(), { link: 'link to a → link to b' })
    same(
      (await layers.moved(ONE)).files.map(({ path, own }) => [path, own?.mode]),
      [['link', null]],
    )
    await inside('ln -sfn user link')
    same(await changes(), {})
  },
  async 'a renamed folder takes its links along, also if they are old'({ folder, layers, inside, changes }) {
    symlinkSync('one', join(folder, 'dir', 'link'))
    await layers.make(ONE, AbortSignal.timeout(60_000))
    await inside('mv dir moved')
    const { 'dir/link': left, 'moved/link': arrived } = await changes()
    same([left, arrived], ['link to one → none', 'none → link to one'])
  },
  async 'a link whose target is not UTF-8 counts as no file, also where the folder has none'({ folder, inside, changes, left }) {
    await inside('rm a; ln -s "$(printf "\\377")" a')
    same(await changes(), { a: 'A → none' })
    rmSync(join(folder, 'a'))
    same(await changes(), {})
    same(await left(), ['a link'])
  },
  async 'files that everybody may write keep their mode as a base'({ folder, inside, layers, changes }) {
    const script = 'chmod 777 a; chmod 664 b'
    await inside(script)
    execFileSync('bash', ['--norc', '-c', script], { cwd: folder })
    same(await changes(), {})
    same((await layers.moved(ONE)).files, [])
  },
  async 'looks at the same time agree where files, links and folders have taken each other’s places'({ folder, layers, inside, changes }) {
    symlinkSync('dir', join(folder, 'link'))
    await layers.make(ONE, AbortSignal.timeout(60_000))
    const script = 'rm link; mkdir link; printf x > link/x; rm -r dir; printf y > dir; rm b; ln -s a b'
    await inside(script)
    execFileSync('bash', ['--norc', '-c', script], { cwd: folder })
    same(await Promise.all([changes(), changes(), changes()]), [{}, {}, {}])
    same((await layers.moved(ONE)).files, [])
    await inside('rm -r link; printf z > link')
    same(await changes(), { link: 'none → z', 'link/x': 'x → none' })
  },
  async 'files of the folder that the layer hides are listed once'({ folder, layers, inside }) {
    mkdirSync(join(folder, 'x'))
    writeFileSync(join(folder, 'x', 'y'), 'y')
    await layers.make(ONE, AbortSignal.timeout(60_000))
    await inside('rm -r x; ln -s a x')
    await layers.changes(ONE)
    await inside('rm x')
    await layers.changes(ONE)
    rmSync(join(folder, 'x', 'y'))
    mkdirSync(join(folder, 'x', 'y'))
    writeFileSync(join(folder, 'x', 'y', 'z'), 'z')
    same((await layers.moved(ONE)).files.map(({ path }) => path).toSorted(), ['x/y', 'x/y/z'])
  },
  async 'folders that the session makes below a folder in the place of a link are its own'({ folder, layers, inside, left }) {
    mkdirSync(join(folder, 'real', 'sub'), { recursive: true })
    writeFileSync(join(folder, 'real', 'file'), 'f')
    symlinkSync('real', join(folder, 'link'))
    await layers.make(ONE, AbortSignal.timeout(60_000))
    same(await left(), [])
    await inside('rm link; mkdir -p link/sub')
    same(await left(), ['link/sub folder'])
  },
}
