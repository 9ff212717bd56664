import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { collected, request } from '../../support/collected.ts'
import { call, message, say, stream } from '../../support/scripted-model.ts'
import { type Bench, RICH_ANSWER } from './bench.ts'

const FRAME_END = /(?:\r?\n){2}/g

/** The distance in bytes between two tested positions. `test/providers/wire/every-byte.long.test.ts` tests every byte. */
const STEP = 7

/** Returns the first byte offset at which a stream of `RICH_ANSWER` may end and still give the complete answer. */
function endOfWhole({ subject }: Bench): number {
  const frames = subject.frames(RICH_ANSWER)
  const upTo = frames.slice(0, frames.length + subject.terminalFrame + 1).join('')
  return Buffer.byteLength(upTo.trimEnd())
}

/**
 * Tests that cutting the bytes into pieces at any place changes nothing, and that the place where the stream ends decides whether there is
 * an answer.
 */
export function bytesCutAnywhere(bench: Bench): void {
  describe(`${bench.subject.name}: bytes cut anywhere`, () => {
    test('an answer that ends early without an error counts as cut off: its text is kept, and nothing else is used', async () => {
      const bytes = Buffer.from(bench.frames(RICH_ANSWER))
      const whole = await bench.answerTo([stream(bench.frames(RICH_ANSWER))])
      const wholeFrom = endOfWhole(bench)
      const ends = new Set<string>()
      const { provider } = await bench.asked(({ index }) => stream(bytes, { stops: [{ at: index * STEP, next: 'end' }] }))
      for (let at = 0; at < bytes.byteLength; at += STEP) {
        const cut = await collected(provider.stream(request(bench.subject.model), new AbortController().signal))
        ends.add(cut.failure?.code ?? 'finish')
        // If the stream ends after the event that completes the answer, only the usage may be missing.
        if (cut.answer) expect([{ ...cut.answer, usage: null }, at >= wholeFrom]).toEqual([{ ...whole.answer, usage: null }, true])
        expect(whole.text.startsWith(cut.text)).toBe(true)
        if (cut.partial) expect(cut.partial.parts.map((part) => (part.kind === 'text' ? part.text : '')).join('')).toBe(cut.text)
      }
      expect(ends).toContain('cut_off')
    })

    test('a connection that breaks in the middle is cut off', async () => {
      const bytes = Buffer.from(bench.frames(RICH_ANSWER))
      const places = [1, 200, 500, 900, bytes.byteLength - 3]
      const { provider } = await bench.asked(({ index }) => stream(bytes, { stops: [{ at: places[index] ?? 0, next: 'reset' }] }))
      for (const _ of places) {
        const { failure } = await collected(provider.stream(request(bench.subject.model), new AbortController().signal))
        expect(failure).toMatchObject({ code: 'cut_off', retryable: true })
      }
    })

    test('an answer split at every byte is the same answer', async () => {
      const bytes = Buffer.from(bench.frames(RICH_ANSWER))
      const whole = await bench.answerTo([stream(bench.frames(RICH_ANSWER))])
      const slow = await bench.answerTo([stream(bytes, { pieceBytes: 1 })])
      expect([slow.answer, slow.text]).toEqual([whole.answer, whole.text])
    })
  })
}

/** Tests unusual and malformed streams (fault 46), such as those that proxies cause. */
export function streamsInBadForm(bench: Bench): void {
  describe(`${bench.subject.name}: malformed streams (fault 46, L-17)`, () => {
    const whole = 'One two three'
    const { twoWords, rawArguments } = bench.subject
    const good = bench.frames(say(whole))

    test.each([
      ['with CRLF line endings', good.replaceAll(/\r?\n/g, '\r\n')],
      ['with CR line endings', good.replaceAll(/\r?\n/g, '\r')],
      ['with a byte order mark', `\uFEFF${good}`],
      ['without a blank line at the end', good.trimEnd()],
      ['with comments, ids and retry lines inside frames', good.replaceAll('\ndata:', '\n: alive\nid: 7\nretry: 10\ndata:')],
      ['without a space after the colon', good.replaceAll('data: ', 'data:').replaceAll('event: ', 'event:')],
      ['with unknown kinds of events', good.replaceAll(FRAME_END, `$&${bench.subject.unknownFrame}`)],
      ['with pings between all events', good.replaceAll(FRAME_END, `$&${bench.subject.pingFrame}`)],
    ])('a stream %s is read like any other', async (_, body) => {
      const { answer, text: shown } = await bench.answerTo([stream(body)])
      expect([shown, answer?.parts]).toEqual([whole, [{ kind: 'text', text: whole }]])
    })

    test('an event of five megabytes arrives whole', async () => {
      const long = 'x'.repeat(5_000_000)
      const { answer } = await bench.answerTo([stream(bench.frames(say(long)))])
      expect(answer?.parts).toEqual([{ kind: 'text', text: long }])
    })

    test('line separators that only JavaScript knows do not end a line', async () => {
      const { answer } = await bench.answerTo([say('a\u2028b\u2029c\u0085d')])
      expect(answer?.parts).toEqual([{ kind: 'text', text: 'a\u2028b\u2029c\u0085d' }])
    })

    test('bytes that are not UTF-8 become replacement characters, and nothing else is lost', async () => {
      const bytes = Buffer.from(bench.frames(say('one XX two')))
      for (let at = bytes.indexOf('XX'); at !== -1; at = bytes.indexOf('XX')) bytes.fill(0xff, at, at + 2)
      const { answer } = await bench.answerTo([stream(bytes)])
      expect(answer?.parts).toEqual([{ kind: 'text', text: 'one \uFFFD\uFFFD two' }])
    })

    test('an event that is not JSON ends the answer as malformed; what came before is kept', async () => {
      const pieces = bench.subject.frames(say(whole))
      const broken = [...pieces.slice(0, twoWords), 'event: content_block_delta\ndata: {"type": oops}\n\n', ...pieces.slice(twoWords)].join(
        '',
      )
      const { failure, text: shown, partial } = await bench.answerTo([stream(broken)])
      expect(failure).toMatchObject({ code: 'malformed', retryable: true })
      expect(partial?.parts).toEqual([{ kind: 'text', text: shown }])
      expect(whole.startsWith(shown) && shown !== '').toBe(true)
    })

    test('an error event in a stream is reported as the only failure', async () => {
      const pieces = bench.subject.frames(say(whole))
      const { failure, partial } = await bench.answerTo([
        stream([...pieces.slice(0, twoWords), bench.subject.overloadedFrame, ...pieces.slice(twoWords)].join('')),
      ])
      expect(failure).toMatchObject({ code: 'overloaded', retryable: true, status: null })
      expect(partial?.parts).toEqual([{ kind: 'text', text: 'One two ' }])
    })

    test('an empty stream with status 200 is cut off', async () => {
      expect(await bench.failureOf([stream('')])).toMatchObject({ code: 'cut_off', retryable: true })
    })

    test('a compressed answer is read even if it was not requested, and a cut in the middle counts as cut off', async () => {
      const packed = gzipSync(Buffer.from(good))
      const headers = { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' }
      const { answer } = await bench.answerTo([{ kind: 'raw', headers, body: packed }])
      expect(answer?.parts).toEqual([{ kind: 'text', text: whole }])
      const half = packed.subarray(0, packed.byteLength - 20)
      expect(await bench.failureOf([{ kind: 'raw', headers, body: half }])).toMatchObject({ code: 'cut_off' })
    })

    test.runIf(rawArguments)(
      'a call whose arguments are cut off by the length limit is returned unchanged, with the stop reason “length”',
      async () => {
        const { answer } = await bench.answerTo([
          message([call('write_file', '{"file_path":"a","content":"half')], { stopReason: 'max_tokens' }),
        ])
        expect(answer).toMatchObject({ stopReason: 'length', parts: [{ kind: 'tool_call', argsText: '{"file_path":"a","content":"half' }] })
      },
    )
  })
}
