import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { foldAll, emptySession } from '../../shared/session/fold/fold.ts'
import type { Envelope } from '../../shared/session/events.ts'
import { input, SESSION, started } from '../agent/support/events.ts'

const run = promisify(execFile)

/** Returns how a process in this time zone interprets or shows these times (`support/told-times.ts`). */
async function told(zone: string, ...asked: readonly string[]): Promise<readonly unknown[]> {
  const script = join(import.meta.dirname, 'support/told-times.ts')
  const { stdout } = await run(process.execPath, [script, ...asked], { env: { ...process.env, TZ: zone, NODE_OPTIONS: '' } })
  return JSON.parse(stdout) as readonly unknown[]
}

const DATE = 'Sat, 21 Nov 2026 12:00:00 GMT'

/** In Berlin, clocks move from 2:00 to 3:00 on 29 March 2026, and from 3:00 back to 2:00 on 25 October, both at 1:00 UTC. */
describe('wrong clocks, time zones and daylight saving time (fault 52)', { timeout: 60_000 }, () => {
  test('a date in Retry-After gives the same wait in every zone, in each of HTTP’s three formats, whatever the local clock says', async () => {
    const forms = ['Sat, 21 Nov 2026 12:00:30 GMT', 'Saturday, 21-Nov-26 12:00:30 GMT', 'Sat Nov 21 12:00:30 2026']
    const asked = forms.map((form) => `wait|${form}|${DATE}`)
    for (const zone of ['UTC', 'Europe/Berlin', 'America/St_Johns', 'Pacific/Kiritimati'])
      expect([zone, await told(zone, ...asked)]).toEqual([zone, [30_000, 30_000, 30_000]])
  })

  test('the time in “Resume after …” is local, even across both clock changes, and has the date if it is not today', async () => {
    const again = [
      'again|2026-11-21T14:02:10Z|3600000',
      'again|2026-03-29T00:30:00Z|3600000',
      'again|2026-10-25T00:30:00Z|3600000',
      'again|2026-11-21T22:30:00Z|3600000',
      'again|2026-11-21T14:00:00Z|90000000',
    ]
    expect(await told('Europe/Berlin', ...again)).toEqual([
      'Resume after 16:02:10, or choose another model.',
      'Resume after 03:30:00, or choose another model.',
      'Resume after 02:30:00, or choose another model.',
      'Resume after 00:30:00 on 2026-11-22, or choose another model.',
      'Resume after 16:00:00 on 2026-11-22, or choose another model.',
    ])
    expect((await told('America/New_York', ...again))[0]).toBe('Resume after 10:02:10, or choose another model.')
  })

  test('ages in lists use local days, even days of 23 or 25 hours, and a future time is shown as now', async () => {
    const ages = [
      'age|2026-03-28T22:30:00Z|2026-03-29T21:30:00Z',
      'age|2026-03-28T23:30:00Z|2026-03-29T21:30:00Z',
      'age|2026-10-24T21:30:00Z|2026-10-25T22:30:00Z',
      'age|2026-10-24T22:30:00Z|2026-10-25T22:30:00Z',
      'age|2026-03-22T12:00:00Z|2026-03-29T12:00:00Z',
      'age|2026-11-22T12:00:00Z|2026-11-21T12:00:00Z',
      'clock|2026-03-29T00:59:59Z',
      'clock|2026-03-29T01:00:00Z',
    ]
    expect(await told('Europe/Berlin', ...ages)).toEqual(['Sat', '22 h', 'Sat', '24 h', '22 Mar', 'now', '01:59:59', '03:00:00'])
  })

  test('if the clock is set back by a day, the entries stay in order and no duration is negative', () => {
    const DAY = 24 * 3_600_000
    const at = [9 * DAY, 9 * DAY + 5, 8 * DAY, 8 * DAY + 1]
    const events = [
      started(),
      input('before'),
      { kind: 'PROCESSING_END', reason: 'completed' } as const,
      { ...input('after'), inputId: 'in_after' },
    ]
    const envelopes = events.map((event, index): Envelope => {
      return { seq: index + 1, sessionId: SESSION, after: index === 0 ? null : index, at: at[index] ?? 0, event }
    })
    const { items, cursor } = foldAll(emptySession(SESSION), envelopes)
    expect([items.map((item) => (item.kind === 'user' ? item.text : item.kind)), cursor]).toEqual([['before', 'after'], 4])
  })
})
