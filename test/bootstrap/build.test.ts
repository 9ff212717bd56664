import { appendFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sourceStamp } from '../../main/bootstrap/build.mjs'
import { tempFolder } from './temp-folder.ts'

const clone = (): string =>
  tempFolder({ 'package-lock.json': '{}', 'renderer/deep/a.tsx': 'a', 'shared/b.ts': 'b', 'main/c.ts': 'c', 'preload/d.ts': 'd' })

test('a part is rebuilt only when one of its own sources changes', () => {
  const root = clone()
  const before = sourceStamp(root, 'renderer')
  appendFileSync(join(root, 'main/c.ts'), 'more')
  expect(sourceStamp(root, 'renderer')).toBe(before)
  appendFileSync(join(root, 'renderer/deep/a.tsx'), 'more')
  expect(sourceStamp(root, 'renderer')).not.toBe(before)
})

test('a change in shared code rebuilds every part', () => {
  const root = clone()
  const stamps = (): string[] => [sourceStamp(root, 'main'), sourceStamp(root, 'preload'), sourceStamp(root, 'renderer')]
  const before = stamps()
  appendFileSync(join(root, 'shared/b.ts'), 'more')
  const after = stamps()
  expect(after.map((stamp, index) => stamp === before[index])).toEqual([false, false, false])
})

test('a new file, a newer file of the same size, and changed packages count as changes', () => {
  const root = clone()
  const stamps = [sourceStamp(root, 'main')]
  writeFileSync(join(root, 'main/new.ts'), '')
  stamps.push(sourceStamp(root, 'main'))
  utimesSync(join(root, 'main/c.ts'), 1_000_000, 2_000_000)
  stamps.push(sourceStamp(root, 'main'))
  writeFileSync(join(root, 'package-lock.json'), '{"packages":{}}')
  stamps.push(sourceStamp(root, 'main'))
  expect(new Set(stamps).size).toBe(4)
})
