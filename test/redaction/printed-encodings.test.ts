import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { createKnownSecrets } from '../../main/redaction/known-secrets.ts'

const KEY = 'sk-live-Q4wx9ZpT7vLm2Rk8sYd5hNc1'
const MARKER = '[hidden by Countersign: KEY]'

function known() {
  const secrets = createKnownSecrets()
  secrets.add('KEY', KEY)
  return secrets
}

/** Sends the output in pieces of this size. */
function streamed(output: string, size: number): string {
  const shown: Buffer[] = []
  const stream = known().stream((bytes) => shown.push(Buffer.from(bytes)))
  const bytes = Buffer.from(output)
  for (let at = 0; at < bytes.length; at += size) stream.write(bytes.subarray(at, at + size))
  stream.end()
  return Buffer.concat(shown).toString()
}

/** Parts of the key that a reader could decode: six characters in a row, or their hexadecimal digits, however they are laid out. */
function leaks(shown: string): readonly string[] {
  const squeezed = shown.replaceAll(MARKER, '').replaceAll(/\s/gu, '')
  const pieces = Array.from({ length: KEY.length - 9 }, (_, at) => KEY.slice(at, at + 10))
  return pieces.filter((piece) => [piece, Buffer.from(piece).toString('hex')].some((form) => squeezed.includes(form)))
}

const COMMANDS: readonly (readonly [program: string, ...args: readonly string[]])[] = [
  ['xxd'],
  ['xxd', '-p'],
  ['xxd', '-b'],
  ['xxd', '-g1', '-c8'],
  ['hexdump', '-C'],
  ['hexdump'],
  ['od'],
  ['od', '-c'],
  ['od', '-b'],
  ['od', '-An', '-tx1'],
  ['od', '-tx1z'],
  ['base64'],
  ['base64', '-w', '16'],
  ['fold', '-w', '5'],
  ['rev'],
  ['sed', 's/./& /g'],
  ['node', '-e', 'console.log(fs.readFileSync(0).toString("hex").match(/.{2}/g).join(" "))'],
]

const isInstalled = (program: string): boolean => {
  try {
    execFileSync('which', [program], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

describe.each(['', 'x'.repeat(13)])('a key behind %j', (before) => {
  it.each(COMMANDS.filter(([program]) => isInstalled(program)))('is hidden when it is printed by %s %s %s (X4)', (program, ...args) => {
    const output = execFileSync(program, args, { input: `${before}${KEY}\nplain text behind\n`, encoding: 'utf8' })
    expect(known().text(output)).toContain(MARKER)
    expect(leaks(known().text(output))).toEqual([])
    for (const size of [7, 100_000]) {
      const shown = streamed(output, size)
      expect(shown).toContain(MARKER)
      expect(leaks(shown)).toEqual([])
    }
  })
})

it('dumps and wrapped text without a secret stay as they are', () => {
  const output = [
    '00000000: 7468 6520 7175 6963 6b20 6272 6f77 6e20  the quick brown ',
    '9c9b360c fix: sk-live keys',
    'sk-live-',
    '',
    'end\r\n',
  ].join('\n')
  expect(known().text(output)).toBe(output)
  for (const size of [1, 5, 1_000]) expect(streamed(output, size)).toBe(output)
})

it('takes time in proportion to the output', () => {
  const line = '00000000: 736b 2d6c 6976 652d 5134 7778 395a 7054  sk-live-Q4wx9ZpT\n'
  const time = (lines: number): number => {
    const text = line.repeat(lines)
    const began = performance.now()
    known().text(text)
    return performance.now() - began
  }
  time(1_000)
  expect(time(40_000)).toBeLessThan(Math.max(40, time(4_000)) * 40)
})
