import { chmodSync, chownSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
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
