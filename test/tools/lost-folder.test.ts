import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { patchOf } from './patch-bench.ts'
import { createWorkbench, type Workbench } from './workbench.ts'

let folder: string
let bench: Workbench
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-lost-'))
  mkdirSync(join(folder, 'project'))
  writeFileSync(join(folder, 'project/a.txt'), 'one\n')
  bench = createWorkbench(join(folder, 'project'))
  await bench.env.initialize()
})
afterEach(async () => {
  await bench.dispose()
  rmSync(folder, { recursive: true, force: true })
})

const CALLS: readonly (readonly [string, object])[] = [
  ['write_file', { file_path: 'new.txt', content: 'x' }],
  ['edit_file', { file_path: 'a.txt', old_string: 'one', new_string: 'two' }],
  ['apply_patch', { patch: patchOf('*** Add File: b.txt', '+x', '*** Delete File: a.txt') }],
  ['delete_file', { file_path: 'a.txt' }],
  ['shell', { command: 'touch made' }],
  ['bash', { command: 'touch made' }],
  ['bash', { command: 'touch made', run_in_background: true }],
]

describe('fault 22: the project folder is deleted', () => {
  it.each(CALLS)('%s that was prepared before the deletion reports it and creates nothing', async (name, args) => {
    const prepared = await bench.prepare(name, args)
    rmSync(bench.root, { recursive: true })
    expect(await bench.commit(prepared)).toMatchObject({
      isError: true,
      output: expect.stringMatching(/The project folder .* no longer exists/u),
    })
    expect(existsSync(bench.root)).toBe(false)
  })

  it.each(CALLS)('%s that is called after the deletion reports it and creates nothing', async (name, args) => {
    rmSync(bench.root, { recursive: true })
    expect(await bench.call(name, args)).toMatchObject({
      isError: true,
      output: expect.stringMatching(/The project folder .* no longer exists/u),
    })
    expect(readdirSync(folder)).toEqual([])
  })
})
