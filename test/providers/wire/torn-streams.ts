import { expect } from 'vitest'
import type { FORMATS } from '../../support/wire-formats/formats.ts'
import { call, message, text, thinking } from '../../support/scripted-model.ts'
import { decode, torn } from '../support/decoded.ts'

type Format = (typeof FORMATS)[number]

/** An answer with every kind of part, and with ids like those of services. */
const RICH = message([
  thinking('Hm 日', 'c2ln'),
  text('Größe 👩‍👧 "q" \\'),
  call('read_file', '{"file_path":"a\\u00e9.ts","limit":2}', 'call_a'),
  call('grep', { pattern: '日|👍' }, 'call_b'),
])

const LONG = message([text('wörter und 字 '.repeat(600)), call('write_file', { file_path: 'a', content: 'ä'.repeat(1_500) }, 'call_c')])

export const richBytes = ({ frames }: Format): Buffer => Buffer.from(frames(RICH, 'm', '1').join(''))

/**
 * Checks that the answer decodes to the same result when it is split into two at each `step`-th byte, and when it arrives byte by byte.
 */
export async function expectSameWhenTorn(format: Format, step: number): Promise<void> {
  const { name } = format
  const bytes = richBytes(format)
  const whole = await decode(name, [bytes])
  for (let at = 1; at < bytes.byteLength; at += step) expect(await decode(name, [bytes.subarray(0, at), bytes.subarray(at)])).toEqual(whole)
  expect(await decode(name, torn(bytes, 1))).toEqual(whole)
}

/**
 * Checks that an answer that ends after any `step`-th byte is reported as cut off, that no call is executed, and that no text is lost.
 */
export async function expectCutOffWhenBroken(format: Format, step: number): Promise<void> {
  const { name } = format
  const bytes = richBytes(format)
  const whole = await decode(name, [bytes])
  for (let at = 0; at < bytes.byteLength; at += step) {
    const cut = await decode(name, [bytes.subarray(0, at)], { end: 'cut' })
    if (cut.error === null) expect([cut, at > bytes.byteLength - 5]).toEqual([whole, true])
    else expect([cut.error.code, cut.toolCalls.some(({ executable }) => executable)]).toEqual(['cut_off', false])
    expect(whole.message.text.startsWith(cut.message.text)).toBe(true)
  }
}

/** Checks that a longer answer decodes to the same result in pieces of each of these sizes. */
export async function expectSameInPieces({ name, frames }: Format, sizes: readonly number[]): Promise<void> {
  const long = Buffer.from(frames(LONG, 'm', '1').join(''))
  expect(long.byteLength).toBeGreaterThan(20_000)
  const whole = await decode(name, [long])
  expect(whole).toMatchObject({ stopReason: 'tool_calls', error: null })
  for (const size of sizes) expect(await decode(name, torn(long, size))).toEqual(whole)
}
