import { detectedEncoding } from '../../shared/encodings/detect-encoding.ts'
import { longText, OLD_TEXTS } from '../encodings/old-encodings.ts'
import { type Figure, median } from './figures.ts'

const TIMES = 7

/** Measures how long main is busy with the encoding of a text of 500 KB (target: 50 ms). */
export function benchEncodings(): readonly Figure[] {
  return [
    { form: 'in lines', separator: '\n' },
    { form: 'in a single line', separator: ' ' },
  ].map(({ form, separator }) => {
    const slowest = OLD_TEXTS.map(([encoding, base64]) => ({ encoding, ms: median(timesOf(longText(base64, separator))) })).toSorted(
      (a, b) => b.ms - a.ms,
    )[0]
    return {
      promise: `detecting the encoding of 500 KB ${form}`,
      value: `${slowest?.ms.toFixed(0)} ms for ${slowest?.encoding}`,
      method: `the slowest of ${OLD_TEXTS.length} encodings, each the median of ${TIMES}; at most 50 ms`,
    }
  })
}

function timesOf(bytes: Uint8Array): readonly number[] {
  return Array.from({ length: TIMES }, () => {
    const began = performance.now()
    detectedEncoding(bytes)
    return performance.now() - began
  })
}
