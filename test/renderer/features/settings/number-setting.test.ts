import { expect, test } from 'vitest'
import { type NumberSetting, readNumber } from '../../../../renderer/features/settings/number-setting-line.tsx'

const TOKENS: NumberSetting = { noun: 'a number of tokens', least: 1, most: 1_000_000, digits: 0, empty: 'no limit' }
const DOLLARS: NumberSetting = { noun: 'an amount in dollars', least: 0.01, most: 100, digits: 2, empty: 'no limit' }
const ROUNDS: NumberSetting = { noun: 'a number of rounds', least: 1, most: 10_000, digits: 0, empty: null }

test.each([
  [TOKENS, '200000', 200_000],
  [TOKENS, ' 200,000 ', 200_000],
  [TOKENS, '200 000', 200_000],
  [TOKENS, '1000000', 1_000_000],
  [DOLLARS, '0.01', 0.01],
  [DOLLARS, '12.5', 12.5],
  [ROUNDS, '12', 12],
])('%#: a number in its range is accepted', (setting, typed, value) => {
  expect(readNumber(typed, setting)).toEqual({ kind: 'number', value })
})

test('an empty field means no limit, or is an error if there must be a limit', () => {
  expect(readNumber(' ', TOKENS)).toEqual({ kind: 'none' })
  expect(readNumber('', ROUNDS)).toEqual({
    kind: 'wrong',
    why: 'Nothing is not a number of rounds. 1 to 10,000. The setting was not changed.',
  })
})

test.each([
  [TOKENS, '0', '0 is too low. 1 to 1,000,000, or empty for no limit. The setting was not changed.'],
  [TOKENS, '-5', '-5 is not a number of tokens. 1 to 1,000,000, or empty for no limit. The setting was not changed.'],
  [TOKENS, '1e6', '1e6 is not a number of tokens. 1 to 1,000,000, or empty for no limit. The setting was not changed.'],
  [TOKENS, '1.5', '1.5 is not a number of tokens. 1 to 1,000,000, or empty for no limit. The setting was not changed.'],
  [TOKENS, '20,00', '20,00 is not a number of tokens. 1 to 1,000,000, or empty for no limit. The setting was not changed.'],
  [DOLLARS, '0.005', '0.005 is not an amount in dollars. 0.01 to 100, or empty for no limit. The setting was not changed.'],
  [DOLLARS, '101', '101 is too high. 0.01 to 100, or empty for no limit. The setting was not changed.'],
  [ROUNDS, 'many', 'many is not a number of rounds. 1 to 10,000. The setting was not changed.'],
])('%#: the error for an invalid number says what is allowed', (setting, typed, why) => {
  expect(readNumber(typed, setting)).toEqual({ kind: 'wrong', why })
})
