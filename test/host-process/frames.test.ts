import fc from 'fast-check'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { FrameReader, frameOf } from '../../main/host-process/wire/frames.ts'
import { behindMarker, MARKER } from '../../main/host-process/wire/marker.ts'
import { amount } from '../../main/host-process/wire/schemas.ts'

type Frame = readonly [message: unknown, bytes: readonly number[]]

function readIn(pieces: readonly Buffer[]): readonly Frame[] {
  const frames: Frame[] = []
  const reader = new FrameReader((json, bytes) => frames.push([JSON.parse(json.toString('utf8')), [...bytes]]))
  for (const piece of pieces) reader.take(piece)
  return frames
}

function cutAt(all: Buffer, cuts: readonly number[]): readonly Buffer[] {
  const at = [0, ...cuts.map((cut) => cut % (all.length + 1)).toSorted((a, b) => a - b), all.length]
  return at.slice(1).map((to, index) => all.subarray(at[index], to))
}

const frame = fc.tuple(fc.record({ text: fc.string({ unit: 'grapheme' }) }), fc.array(fc.nat(255), { maxLength: 40 }))
const bytesOf = (frames: readonly Frame[]): Buffer =>
  Buffer.concat(frames.map(([message, bytes]) => frameOf(message as object, Uint8Array.from(bytes))))

it('frames come out as they went in, wherever the stream is split', () => {
  fc.assert(
    fc.property(fc.array(frame, { maxLength: 5 }), fc.array(fc.nat(), { maxLength: 12 }), (frames, cuts) => {
      expect(readIn(cutAt(bytesOf(frames), cuts))).toEqual(frames)
    }),
  )
})

it('frames that arrive byte by byte, or all in one piece, are the same', () => {
  const frames: readonly Frame[] = [
    [{ a: 'ü' }, []],
    [{ b: 1 }, [0, 255, 10]],
    [{ c: null }, []],
  ]
  const all = bytesOf(frames)
  expect(readIn([...all].map((byte) => Buffer.from([byte])))).toEqual(frames)
  expect(readIn([all])).toEqual(frames)
})

it.each([
  ['text of 2 GB', 2 ** 31, 0],
  ['2 GB of bytes', 10, 2 ** 31],
  ['text just above the limit', 16 * 1024 ** 2 + 1, 0],
  ['bytes just above the limit', 10, 1024 ** 2 + 1],
  ['no text', 0, 10],
])('a frame that announces %s is refused by its head alone', (_what, json, bytes) => {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(json, 0)
  head.writeUInt32BE(bytes, 4)
  const before = process.memoryUsage().arrayBuffers
  expect(() => readIn([head])).toThrow(`A message announced ${json} bytes of text and ${bytes} raw bytes.`)
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1024 ** 2)
})

it('a message above the limits is not sent, and the error has a code', () => {
  expect(() => frameOf({ text: 'x'.repeat(16 * 1024 ** 2) })).toThrow(expect.objectContaining({ code: 'E2BIG' }))
  expect(() => frameOf({}, new Uint8Array(1024 ** 2 + 1))).toThrow(expect.objectContaining({ code: 'E2BIG' }))
})

it.each([1.5, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])('the number %s survives', (number) => {
  const [sent] = readIn([frameOf([number])])
  expect(z.tuple([amount]).parse(sent?.[0])).toEqual([number])
})

it('whatever is printed before the marker line is dropped, wherever it is split', () => {
  const noise = 'Welcome to this machine!\ncountersign-host\n\x00\x00'
  fc.assert(
    fc.property(fc.array(fc.nat(), { maxLength: 6 }), (cuts) => {
      const got: Buffer[] = []
      const take = behindMarker((bytes) => got.push(bytes))
      for (const piece of cutAt(Buffer.from(`${noise}${MARKER}first${MARKER}`), cuts)) take(piece)
      expect(Buffer.concat(got).toString()).toBe(`first${MARKER}`)
    }),
  )
})

it('a program that prints much and no marker is not a host process', () => {
  const take = behindMarker(() => {})
  expect(() => {
    for (let piece = 0; piece < 300; piece++) take(Buffer.alloc(1024, 'x'))
  }).toThrow('no host process has answered')
})
