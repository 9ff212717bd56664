import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createLocalExecutionEnvironment } from '../../main/environment/local-environment.ts'
import { createFileFinder } from '../../main/workspace/find-files.ts'
import { createWorkspaces } from '../../main/workspace/workspaces.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const FILES = ['README.md', 'src/dates/parse.ts', 'src/dates/format.ts', 'src/parser/index.ts', 'test/dates/parse.test.ts', 'dist/parse.js']

/** Creates a folder with the files in `FILES`, and a finder of their paths. The finder's clock stands still until the test moves it. */
function finder({ git = false } = {}) {
  const folder = temporaryFolder('find')
  const put = (path: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), '')
  }
  FILES.forEach(put)
  writeFileSync(join(folder, '.gitignore'), 'dist/\n')
  if (git) execFileSync('git', ['init', '-q', folder])
  const workspaces = createWorkspaces({ createEnvironment: createLocalExecutionEnvironment, home: '/nobody/at/home', ownFolders: [] })
  onTestFinished(() => workspaces.closeAll())
  const clock = { ms: 0 }
  const files = createFileFinder(workspaces, () => clock.ms)
  const find = (typed: string, recent: readonly string[] = []) => files.find(folder, typed, recent)
  return { folder, find, put, clock }
}

describe.each([{ git: true }, { git: false }])('file paths after @, %o', (kind) => {
  it.each([
    [
      'matches at the beginning of a name come first, then inside a name, then in a path',
      'pars',
      ['src/parser/', 'src/dates/parse.ts', 'test/dates/parse.test.ts', 'src/parser/index.ts'],
    ],
    ['parts of a path match in order', 'dates/pa', ['src/dates/parse.ts', 'test/dates/parse.test.ts']],
    ['letters match in order, with gaps', 'sdf', ['src/dates/format.ts']],
    ['upper and lower case do not matter', 'readme', ['README.md']],
    ['without a match, nothing is found', 'zzz', []],
    ['ignored files are not found', 'parse.js', []],
  ])('%s', async (_name, typed, found) => {
    expect(await finder(kind).find(typed)).toEqual(found)
  })

  it('previously chosen files come first', async () => {
    expect((await finder(kind).find('parse', ['test/dates/parse.test.ts']))[0]).toBe('test/dates/parse.test.ts')
  })

  it('the next search finds added files and omits removed files', async () => {
    const { find, put, clock, folder } = finder(kind)
    expect(await find('brand-new')).toEqual([])
    put('src/brand-new.ts')
    rmSync(join(folder, 'README.md'))
    clock.ms += 60_000
    await expect.poll(() => find('brand-new')).toEqual(['src/brand-new.ts'])
    expect(await find('readme')).toEqual([])
  })
})
