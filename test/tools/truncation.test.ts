import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  DEFAULT_CHAR_LIMITS,
  DEFAULT_LINE_LIMITS,
  DEFAULT_TRUNCATION_MODES,
  limitsOf,
} from '../../main/tools/truncation/truncation-limits.ts'
import { truncateChars, truncateLines, truncateToolOutput } from '../../main/tools/truncation/truncate.ts'

const lines = (count: number): string => Array.from({ length: count }, (_, index) => `line ${index + 1}`).join('\n')
const hundredThousand = 'abcdefghij'.repeat(10_000)

describe('characters (P3-02…05)', () => {
  it('P3-02: a text within the limit is unchanged, even if it is empty', () => {
    expect(truncateChars('', 0, 'head_tail')).toBe('')
    expect(truncateChars('', 10, 'tail')).toBe('')
    expect(truncateChars('exactly10!', 10, 'head_tail')).toBe('exactly10!')
  })

  it('P3-03, P3-05, P3-13: keeps the first and last 25 000 of 100 000 characters around a warning about the 50 000 removed', () => {
    const result = truncateChars(hundredThousand, 50_000, 'head_tail')
    const warning =
      '\n\n[WARNING: Tool output was truncated. 50000 characters were removed from the middle. The full output is available in the event stream. ' +
      'If you need to see specific parts, re-run the tool with more targeted parameters.]\n\n'
    expect(result).toBe(hundredThousand.slice(0, 25_000) + warning + hundredThousand.slice(-25_000))
  })

  it('P3-04, P3-13: keeps the last 50 000 of 100 000 characters after a warning about the 50 000 removed', () => {
    const warning =
      '[WARNING: Tool output was truncated. First 50000 characters were removed. The full output is available in the event stream.]\n\n'
    expect(truncateChars(hundredThousand, 50_000, 'tail')).toBe(warning + hundredThousand.slice(-50_000))
  })

  it('T-11: an odd limit is fully used, with the larger half at the end', () => {
    expect(truncateChars('abcdefgh', 5, 'head_tail')).toMatch(/^ab\n\n\[WARNING: .* 3 characters .*\]\n\nfgh$/u)
  })

  it('T-11: never splits a character: a surrogate pair at the cut counts as removed', () => {
    const text = '😀😀😀😀'
    expect(truncateChars(text, 2, 'head_tail')).toMatch(/^\n\n\[WARNING: .* 8 characters .*\]\n\n$/u)
    expect(truncateChars(text, 3, 'tail')).toMatch(/First 6 characters.*\]\n\n😀$/su)
  })

  it.each([0, -5, Number.NaN])('a limit of %s leaves only the warning', (limit) => {
    expect(truncateChars('abc', limit, 'head_tail')).toMatch(/^\n\n\[WARNING: .* 3 characters .*\]\n\n$/u)
  })

  it('shortens a text over the limit to its beginning and end within the limit, never splits a character, and gives the exact number removed', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 200 }),
        fc.integer({ min: 0, max: 120 }),
        fc.constantFrom('head_tail' as const, 'tail' as const),
        (text, limit, mode) => {
          const result = truncateChars(text, limit, mode)
          if (text.length <= limit) {
            expect(result).toBe(text)
            return
          }
          const [, head = '', count = '', tail = ''] =
            /^(.*?)(?:\n\n)?\[WARNING: Tool output was truncated\. (?:First )?(\d+) characters .*?\]\n\n(.*)$/su.exec(result) ?? []
          expect(head.length + tail.length).toBeLessThanOrEqual(limit)
          expect(head.length + tail.length + Number(count)).toBe(text.length)
          expect(text.startsWith(head) && text.endsWith(tail)).toBe(true)
          expect(result.isWellFormed()).toBe(text.isWellFormed())
        },
      ),
    )
  })
})

describe('lines (P3-06, S-30)', () => {
  it('leaves text within the limit unchanged, and a final newline does not count as a line', () => {
    expect(truncateLines(lines(256), 256)).toBe(lines(256))
    expect(truncateLines(`${lines(256)}\n`, 256)).toBe(`${lines(256)}\n`)
    expect(truncateLines('', 0)).toBe('')
  })

  it('D-15: keeps half of the limit, rounded down, from the beginning and the rest of it from the end, around a warning about the omitted lines', () => {
    const result = truncateLines(lines(10), 5)
    expect(result).toMatch(
      /^line 1\nline 2\n\n\n\[WARNING: Tool output was truncated\. 5 lines omitted from the middle\..*\]\n\nline 8\nline 9\nline 10$/u,
    )
  })

  it('T-11: a final newline and carriage returns are kept', () => {
    expect(truncateLines('a\r\nb\r\nc\r\n', 2)).toMatch(/^a\r\n\n\n\[WARNING: .* 1 line omitted from .*\]\n\nc\r\n$/u)
  })
})

describe('the tables (P3-08…11)', () => {
  it('P3-08: characters', () => {
    expect(DEFAULT_CHAR_LIMITS).toEqual({
      read_file: 50_000,
      shell: 30_000,
      grep: 20_000,
      glob: 20_000,
      edit_file: 10_000,
      apply_patch: 10_000,
      write_file: 1_000,
      spawn_agent: 20_000,
    })
  })

  it('P3-09: modes', () => {
    expect(DEFAULT_TRUNCATION_MODES).toEqual({
      read_file: 'head_tail',
      shell: 'head_tail',
      spawn_agent: 'head_tail',
      grep: 'tail',
      glob: 'tail',
      edit_file: 'tail',
      apply_patch: 'tail',
      write_file: 'tail',
    })
  })

  it('P3-10: lines', () => {
    expect(DEFAULT_LINE_LIMITS).toEqual({ shell: 256, grep: 200, glob: 500 })
  })

  it.each(['some_tool', 'constructor', '__proto__', 'toString'])(
    'P3-11: %s, which is in no table, is limited to 30 000 characters, kept from the head and tail, with no line limit',
    (name) => {
      expect(limitsOf(name)).toEqual({ chars: 30_000, mode: 'head_tail', lines: null })
    },
  )

  it.each(['bash', 'bash_output'])('P3-10: %s has the limits of shell, including those that a session sets', (name) => {
    expect(limitsOf(name)).toEqual({ chars: 30_000, mode: 'head_tail', lines: 256 })
    expect(limitsOf(name, { toolOutputLimits: { shell: 10 }, toolLineLimits: { shell: 3, [name]: 4 } })).toEqual({
      chars: 10,
      mode: 'head_tail',
      lines: 4,
    })
  })

  it('P3-07: a session can override either limit of a tool', () => {
    const config = { toolOutputLimits: { shell: 10 }, toolLineLimits: { read_file: 3 } }
    expect(limitsOf('shell', config)).toEqual({ chars: 10, mode: 'head_tail', lines: 256 })
    expect(limitsOf('read_file', config)).toEqual({ chars: 50_000, mode: 'head_tail', lines: 3 })
  })
})

describe('both stages (P3-01, T-20)', () => {
  it('P3-13: shell output under its character limit but over 256 lines is cut by lines', () => {
    const result = truncateToolOutput(lines(300), 'shell')
    expect(result).toContain('44 lines omitted')
    expect(result.startsWith('line 1\n') && result.endsWith('line 300')).toBe(true)
    expect(result).not.toContain('characters were removed')
  })

  it('P3-12: ten megabytes in one line are cut by characters, and the line limit changes nothing', () => {
    const result = truncateToolOutput('x'.repeat(10_000_000), 'shell')
    expect(result).toContain('9970000 characters were removed from the middle')
    expect(result.length).toBeLessThan(31_000)
  })

  it.each(['shell', 'grep', 'some_tool'])(
    'P3-05, T-20: in the output of %s, the part that did not fit into memory counts as removed',
    (name) => {
      const result = truncateToolOutput('x'.repeat(500_000), name, {}, 'call_1', 9_500_000)
      const left = result.replace(/\n*\[WARNING[^\]]*\]\n*/u, '')
      expect(Number(/(\d+) characters were removed/u.exec(result)?.[1])).toBe(10_000_000 - left.length)
    },
  )

  it('T-20: a cut by lines also counts the part that did not fit into memory', () => {
    const result = truncateToolOutput(lines(300), 'shell', { toolOutputLimits: { shell: 1_000_000 } }, undefined, 5_000)
    const left = result.replace(/\n\n\[WARNING[^\]]*\]\n\n/u, '')
    expect(result).toContain(`In total, ${lines(300).length + 5_000 - left.length} characters are missing.`)
  })

  it('T-20: if both limits apply, one warning counts everything removed, and the line limit decides what remains', () => {
    const long = Array.from({ length: 5_000 }, (_, index) => `${index} ${'y'.repeat(40)}`).join('\n')
    const result = truncateToolOutput(long, 'shell')
    const [before = '', after = ''] = result.split(/\n\n\[WARNING[^\]]*\]\n\n/u)
    expect(result.match(/WARNING/gu)).toHaveLength(1)
    expect(Number(/(\d+) characters were removed/u.exec(result)?.[1])).toBe(long.length - before.length - after.length)
    expect(before.trimEnd().split('\n').length + after.split('\n').length).toBe(256)
    expect(long.startsWith(before) && long.endsWith(after)).toBe(true)
  })

  it('T-20: in tail mode the first warning stays at the top, and the second counts everything removed', () => {
    const long = Array.from({ length: 5_000 }, (_, index) => `file-${index}.ts`).join('\n')
    const result = truncateToolOutput(long, 'grep')
    const kept = result.replaceAll(/(?:\n\n)?\[WARNING[^\]]*\]\n\n/gu, '')
    expect(result.startsWith('[WARNING: Tool output was truncated. First ')).toBe(true)
    expect(Number(/In total, (\d+) characters are missing/u.exec(result)?.[1])).toBe(long.length - kept.length)
    expect(result.endsWith('file-4999.ts')).toBe(true)
  })

  it('exceed the limits only by their warnings, for any text', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme', maxLength: 30 }), { maxLength: 80 }),
        fc.integer({ min: 0, max: 300 }),
        fc.integer({ min: 0, max: 40 }),
        fc.constantFrom('shell', 'grep', 'other'),
        (parts, chars, most, tool) => {
          const text = parts.join('\n')
          const result = truncateToolOutput(text, tool, { toolOutputLimits: { [tool]: chars }, toolLineLimits: { [tool]: most } })
          if (result === text) return
          const kept = result.replaceAll(/(?:\n\n)?\[WARNING: Tool output[^\]]*\]\n\n/gu, '\0').split('\0')
          expect(kept.join('').length).toBeLessThanOrEqual(chars)
          const left = kept.map((piece) => (piece === '' ? 0 : piece.replace(/\n$/u, '').split('\n').length)).reduce((a, b) => a + b, 0)
          expect(left).toBeLessThanOrEqual(most)
          expect(result.isWellFormed()).toBe(text.isWellFormed())
        },
      ),
    )
  })
})
