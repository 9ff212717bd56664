import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { patchOf } from './patch-bench.ts'
import { createWorkbench, textOf, type Workbench } from './workbench.ts'

let bench: Workbench
beforeEach(() => {
  bench = createWorkbench()
  mkdirSync(join(bench.root, 'src'))
  writeFileSync(join(bench.root, 'src/main.ts'), 'if a:\n        b()\n')
})
afterEach(() => bench.dispose())

const said = async (name: string, args: object): Promise<string> => textOf((await bench.call(name, args)).output)
const edit = (file_path: string) => said('edit_file', { file_path, old_string: 'x', new_string: 'y' })

describe('answers to the model are true and say what to send next (T4)', () => {
  it('a suggested path omits a repeated folder and a leading project name', async () => {
    expect(await edit('src/src/main.ts')).toBe('src/src/main.ts does not exist. Did you mean src/main.ts?')
    const name = basename(bench.root)
    expect(await edit(`${name}/src/main.ts`)).toBe(`${name}/src/main.ts does not exist. Did you mean src/main.ts?`)
    expect(await edit('lib/other.ts')).toBe('lib/other.ts does not exist. To create it, leave old_string empty.')
  })

  it('an update of a missing file suggests Add File', async () => {
    expect(await said('apply_patch', { patch: patchOf('*** Update File: lib/new.ts', '@@', '-a', '+b') })).toBe(
      'lib/new.ts does not exist. To create it, use "*** Add File: " in place of "*** Update File: ". Nothing was changed.',
    )
  })

  it('if a whitespace change is not applied, the answer shows the closest lines and does not say that it would change nothing', async () => {
    const patch = patchOf('*** Update File: src/main.ts', '@@', ' if a:', '-    b()', '+  b()')
    const answers = [
      await said('apply_patch', { patch }),
      await said('edit_file', { file_path: 'src/main.ts', old_string: 'if a:\n    b()', new_string: 'if a:\n  b()' }),
    ]
    for (const answer of answers) {
      expect(answer).not.toContain('would change nothing')
      expect(answer).toContain('Nothing was changed')
      expect(answer).toContain('     2\t        b()')
    }
  })

  it('a shortened path keeps its file name', async () => {
    expect(await edit(`${'long/'.repeat(80)}name.ts`)).toMatch(/^(?:long\/)+.*….*\/name\.ts does not exist\./u)
  })
})
