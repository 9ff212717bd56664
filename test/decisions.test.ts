import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

/** Longest entry, in characters: about four lines. */
const LONGEST = 480

const lines = readFileSync(fileURLToPath(new URL('../DECISIONS.md', import.meta.url)), 'utf8').split('\n')

test('each entry of DECISIONS.md is short, is numbered in order in its area, and has its choice in bold', () => {
  let area = ''
  let count = 0
  const wrong: string[] = []
  for (const line of lines) {
    const heading = /^## ([A-Z])\. /u.exec(line)
    if (heading) {
      area = heading[1] ?? ''
      count = 0
    }
    if (!line.startsWith('- ')) continue
    count += 1
    const fits = line.startsWith(`- **${area}-${count}** `) && /\*\*.+\*\*.*\*\*.+\*\*/u.test(line) && line.length <= LONGEST
    if (!fits) wrong.push(`${area}-${count} expected (${line.length} characters): ${line.slice(0, 60)}`)
  }
  expect(wrong).toEqual([])
})

test('DECISIONS.md contains at most 120 decisions', () => {
  expect(lines.filter((line) => line.startsWith('- ')).length).toBeLessThanOrEqual(120)
})
