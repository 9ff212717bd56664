import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { citedIds } from './support/cited-ids.ts'
import { REQUIREMENTS_PAGE, requirementsPage } from './support/requirements-page.ts'
import { AGENT, ENVIRONMENT, WITHOUT_TEST } from './support/requirements.ts'

test('every requirement of the agent, the environment and the tools is in a test title or is listed as untestable', () => {
  const cited = citedIds(/\b(?:P[23]-\d{2}|[SRLDT]-\d{2}|AC\d{1,2}\.\d)\b/)
  expect([...AGENT, ...ENVIRONMENT].filter((id) => !cited.has(id) && !(id in WITHOUT_TEST))).toEqual([])
  expect(Object.keys(WITHOUT_TEST).filter((id) => cited.has(id))).toEqual([])
})

test('every fault of the agent or a tool is in a test title (security 4)', () => {
  const cited = citedIds(/\bfaults? \d+(?:(?:, | and )\d+)*/)
  const numbers = new Set([...cited].flatMap((words) => (words.match(/\d+/g) ?? []).map(Number)))
  const borne = [...Array.from({ length: 33 }, (_, at) => 1 + at), ...Array.from({ length: 12 }, (_, at) => 41 + at), 60]
  expect(borne.filter((fault) => !numbers.has(fault))).toEqual([])
})

test('the list of requirements is current (update with `npm run requirements`)', () => {
  expect(readFileSync(REQUIREMENTS_PAGE, 'utf8')).toBe(requirementsPage())
})
