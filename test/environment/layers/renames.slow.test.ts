import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { hasNoCopies } from '../copy/support.ts'
import { NOBODY } from '../support.ts'
import { renamedInLayer } from './renames.ts'

const RENAMED = {
  seen: '.\n./dir\n./dir/inner\n./dir/inner/empty\n./dir/inner/two\n./dir/link\n./dir/own\n./later\nown2one\n',
  changed: ['dir/one deleted', 'dir/own changed'],
  folder: ['dir', 'dir/inner', 'dir/inner/empty', 'dir/inner/two', 'dir/link', 'dir/one', 'later'],
}

function renamedByNobody(): unknown {
  const module = JSON.stringify(new URL('renames.ts', import.meta.url).href)
  const script = `import { renamedInLayer } from ${module}; console.log(JSON.stringify(await renamedInLayer()))`
  const node = [process.execPath, '--input-type=module-typescript', '-e', script]
  const drop = ['--reuid', String(NOBODY), '--regid', String(NOBODY), '--clear-groups', ...node]
  return JSON.parse(execFileSync('setpriv', drop, { encoding: 'utf8', cwd: '/', env: { PATH: process.env['PATH'] } }))
}

describe.skipIf(hasNoCopies)('a folder of the project can be renamed in a layer, and nothing else changes', { timeout: 60_000 }, () => {
  it('for this user', async () => {
    expect(await renamedInLayer()).toEqual(RENAMED)
  })

  it.skipIf(process.geteuid?.() !== 0)('for an ordinary user, if this one is root', () => {
    expect(renamedByNobody()).toEqual(RENAMED)
  })
})
