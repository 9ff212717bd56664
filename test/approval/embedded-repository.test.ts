import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { isControlPath } from '../../main/approval/control-files.ts'
import { createPathFacts } from '../../main/approval/path-facts.ts'
import { createLocalExecutionEnvironment } from '../../main/environment/local-environment.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

function project() {
  const root = temporaryFolder('embedded')
  const place = createPathFacts({ env: createLocalExecutionEnvironment(root), root, home: null })
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text, { mode: 0o755 })
  }
  return { root, place, put }
}

const isControl = async (place: ReturnType<typeof project>['place'], path: string): Promise<boolean> => (await place(path)).control

/** What an agent writes so that the user's next git command in `docs` starts a program. */
const planted = (program: string): Readonly<Record<string, string>> => ({
  'docs/objects/x': '',
  'docs/refs/x': '',
  'docs/config': `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = tree\n\tfsmonitor = ${program}\n`,
  'docs/tree/x': '',
  'docs/HEAD': 'ref: refs/heads/main\n',
})

it('git starts the program of an embedded repository, and one of its files is a control file, in every order (X8)', async () => {
  const { root, place, put } = project()
  const files = planted(join(root, 'program'))
  put('program', `#!/bin/sh\ntouch '${root}/ran'\n`)
  const marked: string[] = []
  for (const [path, text] of Object.entries(files)) {
    if (await isControl(place, path)) marked.push(path)
    put(path, text)
  }
  execFileSync('git', ['status'], { cwd: join(root, 'docs'), stdio: 'ignore' })
  expect(existsSync(join(root, 'ran'))).toBe(true)
  expect(marked).toEqual(['docs/HEAD'])
})

it('the settings of an embedded repository that exists are control files, and those of other folders are not (X8)', async () => {
  const { root, place } = project()
  execFileSync('git', ['init', '-q', '--bare', join(root, 'fixture')])
  expect(await isControl(place, 'fixture/config')).toBe(true)
  expect(await isControl(place, 'fixture/hooks/pre-push')).toBe(true)
  expect(await isControl(place, 'fixture/info/attributes')).toBe(true)
  expect(await isControl(place, 'fixture/description')).toBe(false)
  expect(await isControl(place, 'src/config')).toBe(false)
  expect(await isControl(place, 'src/hooks/use-state.ts')).toBe(false)
})

it.each([
  ['docs/HEAD', true],
  ['HEAD', true],
  ['docs/Head', true],
  ['mirror.git/config', true],
  ['mirror.git/hooks/update', true],
  ['head.ts', false],
  ['docs/mirror.git', false],
  ['src/git/config.ts', false],
])('whether %s is a control file by its name: %s (X8)', (path, expected) => {
  expect(isControlPath(path.split('/'))).toBe(expected)
})
