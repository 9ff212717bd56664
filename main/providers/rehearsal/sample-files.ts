/** The sample project: small, without dependencies, with one failing test. Lines end with LF. */

export const DAY_FILE = 'src/day.js'

/** Bodies of `parseDay`. The sample contains `utc`, and the rehearsal proposes the others. */
export type DayBody = 'utc' | 'split' | 'matched' | 'read in utc'

/** The lines of each body, exactly as in the file. */
export const DAY_BODIES: Readonly<Record<DayBody, string>> = {
  // The bug: the text is read as midnight UTC, and the date is taken in local time.
  utc: lines(
    '  const date = new Date(text)',
    '  if (Number.isNaN(date.getTime())) throw new RangeError(`Not a date: ${text}`)',
    '  return { year: date.getFullYear(), month: date.getMonth() + 1, day: date.getDate() }',
  ),
  // This fix goes too far: it fixes the time zones but drops the check, so another test fails.
  split: lines("  const [year, month, day] = text.split('-').map(Number)", '  return { year, month, day }'),
  matched: lines(
    '  const match = /^(\\d{4})-(\\d{2})-(\\d{2})$/.exec(text)',
    '  if (!match) throw new RangeError(`Not a date: ${text}`)',
    '  const [year, month, day] = match.slice(1).map(Number)',
    '  return { year, month, day }',
  ),
  // The smallest fix: it keeps the check and takes the date in UTC.
  'read in utc': lines(
    '  const date = new Date(text)',
    '  if (Number.isNaN(date.getTime())) throw new RangeError(`Not a date: ${text}`)',
    '  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }',
  ),
}

function dayFile(body: DayBody): string {
  return lines(
    '/** A calendar date such as `2026-03-01`, without a time or a time zone. */',
    'export function parseDay(text) {',
    DAY_BODIES[body],
    '}',
    '',
    '/** The date that is `days` days after `text`, in the same format. */',
    'export function addDays(text, days) {',
    '  const { year, month, day } = parseDay(text)',
    '  return new Date(Date.UTC(year, month - 1, day + days)).toISOString().slice(0, 10)',
    '}',
    '',
  )
}

const INVOICES = lines(
  "import { addDays, parseDay } from './day.js'",
  '',
  '/** The month in which an invoice is booked, such as `2026-03`. */',
  'export function periodOf(invoice) {',
  '  const { year, month } = parseDay(invoice.issuedOn)',
  "  return `${year}-${String(month).padStart(2, '0')}`",
  '}',
  '',
  '/** The last day to pay an invoice. */',
  'export function dueOn(invoice) {',
  '  return addDays(invoice.issuedOn, 30)',
  '}',
  '',
  '/** The invoiced amount per month, in cents. */',
  'export function totals(invoices) {',
  '  const sums = {}',
  '  for (const invoice of invoices) {',
  '    const period = periodOf(invoice)',
  '    sums[period] = (sums[period] ?? 0) + invoice.cents',
  '  }',
  '  return sums',
  '}',
  '',
)

const DAY_TEST = lines(
  "import assert from 'node:assert/strict'",
  "import { test } from 'node:test'",
  "import { addDays, parseDay } from '../src/day.js'",
  '',
  "process.env.TZ = 'Europe/Berlin'",
  '',
  "test('a date is read as written', () => {",
  "  assert.deepEqual(parseDay('2026-03-17'), { year: 2026, month: 3, day: 17 })",
  '})',
  '',
  "test('text that is not a date is rejected', () => {",
  "  assert.throws(() => parseDay('tomorrow'), RangeError)",
  '})',
  '',
  "test('adding days crosses the end of a month', () => {",
  "  assert.equal(addDays('2026-02-27', 3), '2026-03-02')",
  '})',
  '',
)

const INVOICES_TEST = lines(
  "import assert from 'node:assert/strict'",
  "import { test } from 'node:test'",
  "import { dueOn, periodOf, totals } from '../src/invoices.js'",
  '',
  "for (const timeZone of ['Pacific/Auckland', 'Europe/Berlin', 'America/New_York']) {",
  '  test(`in ${timeZone} an invoice of 1 March is booked in March`, () => {',
  '    process.env.TZ = timeZone',
  "    assert.equal(periodOf({ issuedOn: '2026-03-01' }), '2026-03')",
  '  })',
  '}',
  '',
  "test('an invoice is due after 30 days', () => {",
  "  process.env.TZ = 'Europe/Berlin'",
  "  assert.equal(dueOn({ issuedOn: '2026-03-17' }), '2026-04-16')",
  '})',
  '',
  "test('totals are per month', () => {",
  "  process.env.TZ = 'Europe/Berlin'",
  '  const invoices = [',
  "    { issuedOn: '2026-02-10', cents: 12_000 },",
  "    { issuedOn: '2026-03-17', cents: 8_000 },",
  "    { issuedOn: '2026-03-20', cents: 500 },",
  '  ]',
  "  assert.deepEqual(totals(invoices), { '2026-02': 12_000, '2026-03': 8_500 })",
  '})',
  '',
)

export const INVOICES_FILE = 'src/invoices.js'
export const TEST_FILES = ['test/day.test.js', 'test/invoices.test.js'] as const

export const SAMPLE_FILES: Readonly<Record<string, string>> = {
  'README.md': lines(
    '# Invoices',
    '',
    'The sample project of the rehearsal. It books invoices by month, and one of its tests fails:',
    'in a time zone west of Greenwich an invoice of 1 March is booked in February.',
    '',
    '    node --test',
    '',
    'This folder is a copy; you can delete it.',
    '',
  ),
  'package.json': `${JSON.stringify({ name: 'invoices', private: true, type: 'module', scripts: { test: 'node --test' } }, null, 2)}\n`,
  [DAY_FILE]: dayFile('utc'),
  [INVOICES_FILE]: INVOICES,
  'test/day.test.js': DAY_TEST,
  'test/invoices.test.js': INVOICES_TEST,
}

function lines(...parts: readonly string[]): string {
  return parts.join('\n')
}
