import type { BlobText } from '../../../shared/api/changes/changes.ts'

/** Sample texts of the component page. They are test data and not part of any product. */
export interface SampleFile {
  readonly path: string
  readonly shown: string
  readonly before: BlobText | null
  readonly after: BlobText | null
}

const text = (content: string): BlobText => ({ kind: 'text', text: content })

const parseDateBefore = `import { DateError } from './errors'
import type { Day } from './types'

/** A calendar day as typed: no time, no zone. */
export interface Options {
  readonly strict: boolean
  readonly today: Day
}

const DEFAULTS: Options = { strict: true, today: { year: 2026, month: 3, day: 1 } }

// Everything below is called by the invoice import and by the mobile app.

export function parseDay(text: string): Day {
  const d = new Date(text)
  if (Number.isNaN(d.getTime())) {
    throw new DateError(\`Not a date: \${text}\`)
  }
  return { year: d.getFullYear(), month: d.getMonth() + 1, day: d.getDate() }
}

export function formatDay(day: Day): string {
  return fromDay(day).toISOString().slice(0, 10)
}

function fromDay(day: Day): Date {
  return new Date(Date.UTC(day.year, day.month - 1, day.day))
}
`

const parseDateAfter = parseDateBefore
  .replace('import type { Day }', "import { daysInMonth } from './calendar'\nimport type { Day }")
  .replace(
    /  const d = new Date\(text\)\n[\s\S]*?getDate\(\) \}\n/,
    `  const match = ISO_DAY.exec(text.trim())
  if (match === null) throw new DateError(\`Not a day: \${text}\`)

  const [year, month, day] = match.slice(1).map(Number)
  if (day > daysInMonth(year, month)) throw new DateError(\`No such day: \${text}\`)
  return { year, month, day }
`,
  )

const LONG = 5_000
const longBefore = Array.from({ length: LONG }, (_, at) => `export const value${at}: number = compute(${at}, 'name ${at % 7}')\n`).join('')
const longAfter = Array.from({ length: LONG }, (_, at) =>
  at % 25 === 3
    ? `export const value${at}: bigint = compute(${at}n, 'other ${at % 7}')\n`
    : `export const value${at}: number = compute(${at}, 'name ${at % 7}')\n`,
).join('')

const minified = (value: string): string =>
  `{"list":[${Array.from({ length: 60_000 }, (_, at) => `{"id":${at},"name":"${at === 30_000 ? value : 'same'}"}`).join(',')}]}\n`

export const SAMPLES = {
  edit: [
    { path: '/p/src/dates/parse-date.ts', shown: 'src/dates/parse-date.ts', before: text(parseDateBefore), after: text(parseDateAfter) },
    {
      path: '/p/src/invoices/period.ts',
      shown: 'src/invoices/period.ts',
      before: text(
        'export function periodOf(invoice: Invoice): Period {\n  const issued = new Date(invoice.issuedOn)\n  return { year: issued.getFullYear(), month: issued.getMonth() + 1 }\n}\n',
      ),
      after: text(
        'export function periodOf(invoice: Invoice): Period {\n  const { year, month } = parseDay(invoice.issuedOn)\n  return { year, month } // a period is a calendar month, never an instant\n}\n',
      ),
    },
  ],
  kinds: [
    { path: '/p/new.py', shown: 'tools/new.py', before: null, after: text('def add(a, b):\n    """Adds."""\n    return a + b  # quick\n') },
    { path: '/p/gone.css', shown: 'styles/gone.css', before: text('a {\n  color: red;\n}\n'), after: null },
    { path: '/p/logo.png', shown: 'assets/logo.png', before: { kind: 'binary', bytes: 12_400 }, after: { kind: 'binary', bytes: 14_100 } },
    {
      path: '/p/dump.sql',
      shown: 'data/dump.sql',
      before: { kind: 'too_large', bytes: 21_000_000 },
      after: { kind: 'too_large', bytes: 24_000_000 },
    },
    { path: '/p/crlf.txt', shown: 'notes/crlf.txt', before: text('one\ntwo\nthree\n'), after: text('one\r\ntwo\r\nthree\r\n') },
    { path: '/p/end.txt', shown: 'notes/end.txt', before: text('one\ntwo'), after: text('one\ntwo\n') },
    {
      path: '/p/hidden.ts',
      shown: 'src/hidden.ts',
      before: text("const role = 'user'\n"),
      after: text("const role = 'user\u202e \u2066// admin only\u2069 \u2066'\nconst zero\u200bwidth = 1\n"),
    },
    {
      path: '/p/markup.html',
      shown: 'page/markup.html',
      before: text('<p>plain</p>\n'),
      after: text('<p>plain</p>\n<img src=x onerror="window.injected = true"><script>window.injected = true</script>\n'),
    },
    {
      path: '/p/wide.json',
      shown: 'a-folder-with-a-long-name/another-folder-with-a-long-name/a-file-with-a-name-of-more-than-sixty-characters-in-it.json',
      before: text('{"a":1}\n'),
      after: text(`{"a":1,"list":[${Array.from({ length: 120 }, (_, at) => at).join(',')}]}\n`),
    },
  ],
  minified: [{ path: '/p/data.min.json', shown: 'data.min.json', before: text(minified('old')), after: text(minified('new')) }],
  long: [{ path: '/p/long.ts', shown: 'src/long.ts', before: text(longBefore), after: text(longAfter) }],
} as const satisfies Readonly<Record<string, readonly SampleFile[]>>
