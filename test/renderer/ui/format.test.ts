import { describe, expect, test } from 'vitest'
import {
  added,
  byteSize,
  clipped,
  clockTime,
  counted,
  counting,
  duration,
  money,
  percent,
  removed,
  shortAge,
  shownFolder,
  span,
} from '../../../renderer/ui/format.ts'
import { groupedCount, shortCount } from '../../../shared/lib/short-count.ts'

// This replaces the non-breaking space before a unit with a plain space, so that the expected texts below are readable.
const plain = (text: string): string => text.replaceAll('\u00a0', ' ')
const local = (year: number, month: number, day: number, hour = 0, minute = 0, second = 0): number =>
  new Date(year, month - 1, day, hour, minute, second).getTime()

describe('times', () => {
  test('the time of day is local, with two digits for hours, minutes and seconds', () => {
    expect(clockTime(local(2026, 11, 21, 14, 4, 40))).toBe('14:04:40')
    expect(clockTime(local(2026, 11, 21, 0, 0, 5))).toBe('00:00:05')
  })

  test.each([
    [0, '0 ms'],
    [22.4, '22 ms'],
    [99.4, '99 ms'],
    [100, '0.1 s'],
    [200, '0.2 s'],
    [3149, '3.1 s'],
    [41_800, '41.8 s'],
    [59_949, '59.9 s'],
    [59_950, '1 min'],
    [60_000, '1 min'],
    [284_000, '4 min 44 s'],
    [3_599_400, '59 min 59 s'],
    [7_200_000, '2 h'],
    [7_500_000, '2 h 05 min'],
  ])('a time of %d ms is shown as %s', (ms, words) => {
    expect(plain(duration(ms))).toBe(words)
  })

  test.each([
    [400, '0 s'],
    [10_999, '10 s'],
    [90_000, '1 min 30 s'],
    [120_000, '2 min'],
  ])('a time of %d ms is shown in whole seconds as %s', (ms, words) => {
    expect(plain(span(ms))).toBe(words)
  })

  test.each([
    [-5, '0:00'],
    [0, '0:00'],
    [999, '0:00'],
    [7000, '0:07'],
    [751_000, '12:31'],
    [3_599_999, '59:59'],
    [3_727_000, '1:02:07'],
  ])('a running duration of %d ms is shown as %s', (ms, words) => {
    expect(counting(ms)).toBe(words)
  })

  test('an age is short: minutes, hours if today, a weekday in the last week, otherwise the date, or only the year if it is another year', () => {
    const now = local(2026, 11, 21, 14, 5)
    const ages = [
      local(2026, 11, 21, 14, 4, 30),
      local(2026, 11, 21, 13, 47),
      local(2026, 11, 21, 11, 50),
      local(2026, 11, 20, 23, 59),
      local(2026, 11, 17, 8),
      local(2026, 11, 12, 8),
      local(2025, 12, 31, 8),
    ]
    expect(ages.map((at) => plain(shortAge(at, now)))).toEqual(['now', '18 min', '2 h', 'Fri', 'Tue', '12 Nov', '2025'])
  })
})

describe('counts', () => {
  test.each([
    [0, '0'],
    [640, '640'],
    [999, '999'],
    [1000, '1k'],
    [9120, '9.1k'],
    [41_200, '41.2k'],
    [99_949, '99.9k'],
    [99_950, '100k'],
    [184_000, '184k'],
    [999_499, '999k'],
    [999_500, '1M'],
    [1_240_000, '1.2M'],
    [-41_200, '−41.2k'],
  ])('the count %d is shortened to %s', (count, words) => {
    expect(shortCount(count)).toBe(words)
  })

  test('in a column the decimal points are aligned', () => {
    expect([9100, 23_000, 8000].map((count) => shortCount(count, { fixed: true }))).toEqual(['9.1k', '23.0k', '8.0k'])
  })

  test.each([0, 7, 999, 1000, 12_345, 128_000, 1_000_000, 123_456_789])('the digits of %d are grouped as in en-US', (count) => {
    expect(groupedCount(count)).toBe(count.toLocaleString('en-US'))
  })

  test.each([
    [0, '$0.00'],
    [0.414, '$0.41'],
    [5, '$5.00'],
    [12.996, '$13.00'],
    [0.01, '$0.01'],
    [0.0042, '< 1 ¢'],
    [0.0000001, '< 1 ¢'],
    [-0.5, '−$0.50'],
  ])('an amount of %d dollars is shown as %s', (dollars, words) => {
    expect(plain(money(dollars))).toBe(words)
  })

  test.each([
    [0, '0 %'],
    [0.002, '< 1 %'],
    [0.38, '38 %'],
    [0.997, '99 %'],
    [1, '100 %'],
    [1.2, '120 %'],
  ])('a share of %d is %s, and 0 % and 100 % only if exact', (ratio, words) => {
    expect(plain(percent(ratio))).toBe(words)
  })

  test('removed lines have a minus sign and not a hyphen', () => {
    expect([added(18), removed(5), removed(0)]).toEqual(['+18', '\u22125', '\u22120'])
  })

  test.each([
    [812, '812 B'],
    [999, '999 B'],
    [1000, '1.0 kB'],
    [9100, '9.1 kB'],
    [41_000_000, '41 MB'],
    [999_600, '1.0 MB'],
    [1_200_000_000, '1.2 GB'],
    [5_000_000_000_000, '5000 GB'],
  ])('a size of %d bytes is shown as %s', (bytes, words) => {
    expect(plain(byteSize(bytes))).toBe(words)
  })

  test('a noun agrees with its count', () => {
    expect([counted(1, 'hunk'), counted(3, 'hunk'), counted(0, 'hunk'), counted(2, 'entry', 'entries')]).toEqual([
      '1 hunk',
      '3 hunks',
      '0 hunks',
      '2 entries',
    ])
  })
})

test.each([
  ['short', 10, 'short'],
  ['Convert the invoices to Euro and round them', 24, 'Convert the invoices to…'],
  ['a'.repeat(50), 10, `${'a'.repeat(9)}…`],
])('%j clipped to %i characters is %j', (text, most, shown) => {
  expect(clipped(text, most)).toBe(shown)
  expect(clipped(text, most).length).toBeLessThanOrEqual(most)
})

test('only the home folder is shown as a tilde', () => {
  expect(shownFolder('/home/ada/code', '/home/ada')).toBe('~/code')
  expect(shownFolder('/home/ada', '/home/ada')).toBe('~')
  expect(shownFolder('/home/adam/code', '/home/ada')).toBe('/home/adam/code')
  expect(shownFolder('/code', '')).toBe('/code')
})
