import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import { patchBench } from '../patch-bench.ts'

const { at, put, now, apply } = patchBench()

it.each(['a', 'b'])('a path with git’s prefix %s/ is named without it (X10)', async (prefix) => {
  put('src/x.ts', 'old\n')
  const { output, isError } = await apply(`*** Update File: ${prefix}/src/x.ts`, '@@', '-old', '+new')
  expect([isError, output]).toEqual([true, expect.stringContaining(`Git writes ${prefix}/ in front of paths in a diff: write src/x.ts.`)])
  expect(now('src/x.ts')).toBe('old\n')
})

it('a real folder a/ is not mistaken for git’s prefix (X10)', async () => {
  put('a/x.ts', 'old\n')
  await apply('*** Update File: a/x.ts', '@@', '-old', '+new')
  expect(now('a/x.ts')).toBe('new\n')
})

it('two patches in one call are refused, and the message says to put all operations into one (X10)', async () => {
  const { output, isError } = await apply('*** Add File: one', '+1', '*** End Patch', '*** Begin Patch', '*** Add File: two', '+2')
  expect([isError, output]).toEqual([true, expect.stringContaining('line 5: a second patch begins here. Nothing was changed.')])
  expect([existsSync(at('one')), existsSync(at('two'))]).toEqual([false, false])
})

it('an update of a file that does not exist says how to create it (X10)', async () => {
  const { output, isError } = await apply('*** Update File: nowhere.ts', '@@', '-old', '+new')
  expect([isError, output]).toEqual([true, expect.stringContaining('To create it, use "*** Add File: "')])
})
