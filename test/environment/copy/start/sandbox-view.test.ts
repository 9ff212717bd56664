import { chmodSync, chownSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { viewOf } from '../../../../main/environment/copy/start/sandbox-view.ts'
import { removeFolder } from '../../../support/remove-folder.ts'
import { asNobody, NOBODY, tempFolder } from '../../support.ts'

it.skipIf(process.platform === 'win32')('if the home folder cannot be listed, nothing runs, because its files could not be hidden', () => {
  const base = tempFolder()
  const home = join(base, 'home')
  mkdirSync(home)
  if (process.geteuid?.() === 0) for (const path of [base, home]) chownSync(path, NOBODY, NOBODY)
  chmodSync(home, 0o311)
  const view = JSON.stringify(new URL('../../../../main/environment/copy/start/sandbox-view.ts', import.meta.url).href)
  const parts = JSON.stringify({ folder: '/srv', home, ours: [], path: '', empty: join(base, 'empty') })
  const failure = asNobody(
    base,
    `const { viewOf } = await import(${view})
     return failureOf(viewOf(${parts}))`,
  )
  expect(failure).toEqual({ code: 'ENOCOPY', message: `The home folder ${home} cannot be listed, so its secrets cannot be hidden.` })
})

// `/var/tmp` is hidden in a copy, as `/home` is.
it.skipIf(process.platform !== 'linux').each([tmpdir(), '/var/tmp'])(
  'secrets and our own data in a home folder are hidden, even if the folder above it (%s) is hidden, and no folder in PATH shows them again',
  async (above) => {
    const home = realpathSync(mkdtempSync(join(above, 'countersign-home-')))
    onTestFinished(() => removeFolder(home))
    const hidden = ['.ssh', '.local/share/keyrings', '.local/share/countersign', 'work', 'tool'].map((path) => join(home, path))
    for (const path of [...hidden, join(home, '.local/bin'), join(home, 'tool/bin'), join(home, 'project')])
      mkdirSync(path, { recursive: true })
    const netrc = join(home, '.netrc')
    writeFileSync(netrc, 'secret')
    const view = await viewOf({
      folder: join(home, 'project'),
      home,
      path: `${join(home, '.local/bin')}:${join(home, 'tool/bin')}`,
      ours: [join(home, '.local/share/countersign')],
      empty: '/dev/null',
    })
    expect(view.hidden).toEqual(expect.arrayContaining([...hidden, netrc]))
    const shownAt = view.arguments.indexOf('--bind')
    const afterHome = view.arguments.slice(view.arguments.indexOf(home, shownAt) + 2)
    for (const path of hidden) expect(afterHome[afterHome.indexOf(path) - 1], path).toBe('--tmpfs')
    expect(afterHome.flatMap((word, at) => (word === '--ro-bind' ? [afterHome[at + 2]] : []))).toEqual([netrc, join(home, 'tool')])
  },
)
