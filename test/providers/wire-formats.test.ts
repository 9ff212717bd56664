import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { citedIds } from '../support/cited-ids.ts'

const table = readFileSync(new URL('wire-formats.md', import.meta.url), 'utf8')
const numbers = [...table.matchAll(/^\| (\S+-\d+) \| /gm)].map(([, number = '']) => number)

test('each of the 33 wire-format statements has a test, and tests cite no other statements', () => {
  expect(numbers).toEqual(Array.from({ length: 33 }, (_, at) => `W-${String(at + 1).padStart(2, '0')}`))
  expect([...citedIds(/\bW-\d{2}\b/)].toSorted()).toEqual(numbers)
})
