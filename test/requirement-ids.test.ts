import { expect, test } from 'vitest'
import { citedIds } from './support/cited-ids.ts'
import { AGENT, WITHOUT_TEST } from './support/requirements.ts'

test('every requirement of the agent stands in the title of a test, or is none that a test could show', () => {
  const cited = citedIds(/\b(?:P2-\d{2}|[SRLDT]-\d{2}|AC\d{1,2}\.\d)\b/)
  expect(AGENT.filter((id) => !cited.has(id) && !(id in WITHOUT_TEST))).toEqual([])
  expect(Object.keys(WITHOUT_TEST).filter((id) => cited.has(id))).toEqual([])
})

test('every fault that is the agent’s to bear stands in the title of a test (security 4)', () => {
  const cited = citedIds(/\bfaults? \d+(?:(?:, | and )\d+)*/)
  const numbers = new Set([...cited].flatMap((words) => (words.match(/\d+/g) ?? []).map(Number)))
  expect([...Array.from({ length: 12 }, (_, at) => 41 + at), 60].filter((fault) => !numbers.has(fault))).toEqual([])
})
