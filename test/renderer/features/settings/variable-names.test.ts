import { expect, test } from 'vitest'
import { readNames } from '../../../../renderer/features/settings/variables-setting.tsx'

test('names are separated by commas, spaces or lines, each counts once, and an empty list is allowed', () => {
  expect(readNames(' NPM_TOKEN,AWS_*  GH_TOKEN\nNPM_TOKEN ')).toEqual({ kind: 'names', names: ['NPM_TOKEN', 'AWS_*', 'GH_TOKEN'] })
  expect(readNames(' , ')).toEqual({ kind: 'names', names: [] })
})

test.each([
  ['NPM-TOKEN', 'NPM-TOKEN is not the name of a variable. Like NPM_TOKEN, or AWS_* for all that begin so.'],
  ['A=secret', 'A=secret is not the name of a variable. Like NPM_TOKEN, or AWS_* for all that begin so.'],
  ['GOOD 1ST', '1ST is not the name of a variable. Like NPM_TOKEN, or AWS_* for all that begin so.'],
  ['*', '* would hand over every secret. Name those that are needed.'],
  [Array.from({ length: 101 }, (_, at) => `V${at}`).join(' '), 'At most 100 names for one project.'],
])('%s is refused with a reason', (typed, why) => {
  expect(readNames(typed)).toEqual({ kind: 'wrong', why })
})
