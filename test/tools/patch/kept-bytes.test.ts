import { chmodSync, linkSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { patchBench } from '../patch-bench.ts'

const { at, put, now, apply } = patchBench()

describe('rule 8: bytes outside the patch are kept', () => {
  it.each([
    ['UTF-8 with a mark', Buffer.from('\ufeffone\ntwo\n'), Buffer.from('\ufeffone\n2\n')],
    ['UTF-16', Buffer.from('\ufeffone\r\ntwo\r\n', 'utf16le'), Buffer.from('\ufeffone\r\n2\r\n', 'utf16le')],
    [
      'UTF-16 in the other byte order',
      Buffer.from('\ufeffone\ntwo\n', 'utf16le').swap16(),
      Buffer.from('\ufeffone\n2\n', 'utf16le').swap16(),
    ],
    ['Windows-1252', Buffer.from('caf\xe9\ntwo\n', 'latin1'), Buffer.from('caf\xe9\n2\n', 'latin1')],
    [
      'Shift-JIS with a backslash as a second byte (T-18)',
      Buffer.from([0x83, 0x5c, 10, 0x74, 0x77, 0x6f, 10]),
      Buffer.from([0x83, 0x5c, 10, 0x32, 10]),
    ],
    ['mixed endings', Buffer.from('one\r\ntwo\n\rthree\r\n'), Buffer.from('one\r\n2\n\rthree\r\n')],
    ['no final newline', Buffer.from('one\ntwo'), Buffer.from('one\n2')],
  ])('%s', async (_, before, after) => {
    put('a.txt', before)
    expect(await apply('*** Update File: a.txt', '@@', '-two', '+2')).toMatchObject({ isError: false })
    expect(readFileSync(at('a.txt'))).toEqual(after)
  })

  it('a file in Windows-1252 accepts its own letters', async () => {
    put('a.txt', Buffer.from('caf\xe9\ntwo\n', 'latin1'))
    expect(await apply('*** Update File: a.txt', '-two', '+zwölf')).toMatchObject({ isError: false })
    expect(readFileSync(at('a.txt'))).toEqual(Buffer.from('caf\xe9\nzw\xf6lf\n', 'latin1'))
  })

  it('a file in an unknown legacy encoding accepts only ASCII additions', async () => {
    put('a.txt', Buffer.from('\xef\xf0\xe8\ntwo\n', 'latin1'))
    expect(await apply('*** Update File: a.txt', '-two', '+zwölf')).toMatchObject({
      output:
        'a.txt is not UTF-8 or UTF-16, and the patch adds a character that its encoding lacks or, if the encoding is unknown, that is not ASCII. Nothing was changed.',
    })
  })

  it('the file mode, symbolic links and hard links are kept', async () => {
    put('a.txt', 'one\n')
    chmodSync(at('a.txt'), 0o751)
    linkSync(at('a.txt'), at('other'))
    symlinkSync('a.txt', at('link'))
    await apply('*** Update File: link', '-one', '+two')
    expect([statSync(at('a.txt')).mode & 0o777, now('other'), now('link')]).toEqual([0o751, 'two\n', 'two\n'])
  })
})
