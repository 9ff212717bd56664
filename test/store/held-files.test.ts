import { chmodSync, chownSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { asNobody, NOBODY, tempFolder } from '../environment/support.ts'

it('a write waits for a brief lock on a data file, and fails without changing the file if the lock lasts longer', () => {
  const folder = tempFolder()
  chmodSync(folder, 0o755)
  for (const [name, text] of [
    ['file', 'old'],
    ['temp', 'new'],
  ] as const)
    writeFileSync(join(folder, name), text)
  if (process.geteuid?.() === 0) chownSync(folder, NOBODY, NOBODY)
  const results = asNobody(
    folder,
    `const { chmodSync, readFileSync, readdirSync } = await import('node:fs')
    const { renamePatiently } = await import(${JSON.stringify(new URL('../../main/store/blobs/durable-file.ts', import.meta.url).href)})
    process.chdir(${JSON.stringify(folder)})
    const codeOf = (work) => { try { work(); return 'done' } catch (error) { return error.code } }
    // A read-only folder refuses the rename with a code that Windows uses for a file that is in use.
    chmodSync('.', 0o500)
    const held = codeOf(() => renamePatiently('temp', 'file', [1, 1]))
    const before = readFileSync('file', 'utf8')
    function* untilFreed() {
      yield 1
      chmodSync('.', 0o700)
      yield 1
    }
    const freed = codeOf(() => renamePatiently('temp', 'file', untilFreed()))
    const missing = codeOf(() => renamePatiently('nowhere', 'file', (function* () { yield 1; throw new Error('tried again') })()))
    return [held, before, freed, readFileSync('file', 'utf8'), missing]`,
  )
  expect(results).toEqual(['EACCES', 'old', 'done', 'new', 'ENOENT'])
  expect(readdirSync(folder)).toEqual(['file'])
})
