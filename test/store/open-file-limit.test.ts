import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { troubleOf } from '../../main/store/database/storage-trouble.ts'

const STORE = new URL('../../main/store/', import.meta.url).href

/** Opens a database while no file descriptor is free, and then one in a missing folder while descriptors are free. */
const SCRIPT = `
import { closeSync, openSync } from 'node:fs'
const { troubleOf } = await import('${STORE}database/storage-trouble.ts')
const { databaseClass } = await import('${STORE}database/database.ts')
const Class = await databaseClass()
new Class(':memory:').close()
const codeOf = (file) => {
  try {
    new Class(file).close()
    return 'opened'
  } catch (error) {
    return [error.code, troubleOf(error, file).code]
  }
}
const open = []
try { for (;;) open.push(openSync('/dev/null', 'r')) } catch {}
const without = codeOf(process.argv[1] + '/a.db')
open.forEach((fd) => closeSync(fd))
console.log(JSON.stringify([without, codeOf(process.argv[1] + '/a.db')]))
`

test.skipIf(process.platform === 'win32')(
  'if too many files are open, opening a database fails with the code storage_no_handles, and succeeds once some files are closed',
  async () => {
    const folder = temporaryFolder('limit')
    const args = ['-c', 'ulimit -n 100; exec "$0" --input-type=module -e "$1" "$2"', process.execPath, SCRIPT, folder]
    const { stdout } = await promisify(execFile)('sh', args)
    expect(JSON.parse(stdout)).toEqual([['SQLITE_CANTOPEN', 'storage_no_handles'], 'opened'])
  },
)

test.each([
  ['EMFILE', 'storage_no_handles'],
  ['ENFILE', 'storage_no_handles'],
  ['SQLITE_CANTOPEN', 'storage_unreadable'],
])('if no file handles are free, %s is reported as %s, with what to do', (code, told) => {
  const trouble = troubleOf(Object.assign(new Error('the reason'), { code }), 'a.db')
  expect(trouble).toMatchObject({ code: told, what: expect.stringContaining('(a.db: the reason)') as unknown })
  expect(trouble.todo).toMatch(told === 'storage_no_handles' ? /ulimit -n/ : /--data DIR/)
})
