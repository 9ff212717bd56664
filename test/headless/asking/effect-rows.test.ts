import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { rowsOfEffects } from '../../../main/headless/asking/effect-rows.ts'
import type { BlobHash } from '../../../shared/lib/ids.ts'
import type { Effect } from '../../../shared/session/effects.ts'

const stored = new Map<BlobHash, Uint8Array>()
const put = (bytes: Uint8Array): BlobHash => {
  const hash = createHash('sha256').update(bytes).digest('hex') as BlobHash
  stored.set(hash, bytes)
  return hash
}
const bytes = { get: (hash: BlobHash) => stored.get(hash) ?? new Uint8Array(), file: (hash: BlobHash) => `/data/${hash.slice(0, 4)}` }
const place = { path: '/w/a', shown: 'a', outside: false, control: false }

it('a deleted file is shown completely', async () => {
  const before = put(Buffer.from('one\ntwo\n'))
  const effect: Effect = { kind: 'delete', ...place, before, beforeBytes: 8 }
  expect(await rowsOfEffects([effect], bytes, null)).toEqual(['   delete a:', '   | @@ -1,2 +0,0 @@', '   | -one', '   | -two'])
})

it('for a binary file the location of its bytes is shown', async () => {
  const before = put(new Uint8Array([0, 1]))
  const after = put(new Uint8Array([0, 2]))
  const effect: Effect = { kind: 'write', ...place, before, after, beforeBytes: 2, afterBytes: 2, lines: null }
  expect(await rowsOfEffects([effect], bytes, null)).toEqual([
    '   write a (+? -?):',
    `   It is not text; the bytes are in /data/${before.slice(0, 4)} (before) and /data/${after.slice(0, 4)} (after).`,
  ])
})

it('a command is shown with its folder, its time limit and the variables that it changes', async () => {
  const effect: Effect = {
    kind: 'command',
    command: 'make\t\u001b[1A all',
    cwd: '/w/\nSign it?',
    outside: true,
    env: { A: '1\n2', PATH: '\u202e/evil' },
    timeoutMs: 10_000,
    destructive: false,
  }
  expect(await rowsOfEffects([effect], bytes, null)).toEqual([
    '   run in /w/\\x0aSign it?, for at most 10 s:',
    '   | make\t\\x1b[1A all',
    '   with A="1\\n2"',
    '   with PATH="\\u202e/evil"',
  ])
})

it('each character to be signed that is invisible or looks like a space is shown as an escape', async () => {
  const command = 'rm a\u00a0b\u3000c\ufe0fd\u180be\u{1d173}f\ufff9g\u2066h\u{e0041}i\u2800j\u{1bca0}k'
  const effect: Effect = {
    kind: 'command',
    command,
    cwd: '/w',
    outside: false,
    env: { 'X\u2003Y': '\ufe00' },
    timeoutMs: 1_000,
    destructive: false,
  }
  expect(await rowsOfEffects([effect], bytes, null)).toEqual([
    '   run in /w, for at most 1 s:',
    String.raw`   | rm a\xa0b\u3000c\ufe0fd\u180be\u{1d173}f\ufff9g\u2066h\u{e0041}i\u2800j\u{1bca0}k`,
    String.raw`   with X\u2003Y="\ufe00"`,
  ])
})
