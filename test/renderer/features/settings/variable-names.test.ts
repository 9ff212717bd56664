import { expect, test } from 'vitest'
import { readNames } from '../../../../renderer/features/settings/variables-setting.tsx'

test('names are separated by commas, spaces or line breaks, and duplicates are dropped', () => {
  expect(readNames(' NPM_TOKEN,AWS_*  GH_TOKEN\nNPM_TOKEN ')).toEqual({ kind: 'names', names: ['NPM_TOKEN', 'AWS_*', 'GH_TOKEN'] })
  expect(readNames(' , ')).toEqual({ kind: 'names', names: [] })
})

test.each([
  ['NPM-TOKEN', 'NPM-TOKEN is not the name of a variable. Use a name such as NPM_TOKEN, or AWS_* for all names that begin with AWS_.'],
  ['A=secret', 'A=secret is not the name of a variable. Use a name such as NPM_TOKEN, or AWS_* for all names that begin with AWS_.'],
  ['GOOD 1ST', '1ST is not the name of a variable. Use a name such as NPM_TOKEN, or AWS_* for all names that begin with AWS_.'],
  ['*', '* would pass on every secret. List only the variables that are needed.'],
  [Array.from({ length: 101 }, (_, at) => `V${at}`).join(' '), 'At most 100 names for one project.'],
])('%s is refused with a reason', (typed, why) => {
  expect(readNames(typed)).toEqual({ kind: 'wrong', why })
})
