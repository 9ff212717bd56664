import { describe, expect, it } from 'vitest'
import { createKnownSecrets } from '../../main/redaction/known-secrets.ts'

const KEY = 'sk-ant-api03-Q4w_x9/Zp+T7vLm2=Rk8sYd5hNc1'
const MARKER = '[hidden by Countersign: ANTHROPIC_API_KEY]'
const LONG = `sk-${'aB3dE5fG7h'.repeat(12)}`

const known = (secret = KEY) => {
  const secrets = createKnownSecrets()
  secrets.add('ANTHROPIC_API_KEY', secret)
  return secrets
}

describe('text', () => {
  it.each([
    ['in plain text', KEY],
    ['in URL encoding', encodeURIComponent(KEY)],
    ['in lowercase hexadecimal', Buffer.from(KEY).toString('hex')],
    ['in uppercase hexadecimal', Buffer.from(KEY).toString('hex').toUpperCase()],
  ])('a known key %s is replaced by a marker that names it', (_, form) => {
    const clean = known().text(`before ${form} behind`)
    expect(clean).toContain(`before ${MARKER}`)
    expect(clean).toMatch(/behind$/)
    expect(clean).not.toContain(form)
  })

  it.each([0, 1, 2, 3, 4, 5])('if a key is inside longer base64, at offset %i, at most four of its characters stay visible', (offset) => {
    const text = Buffer.from(`${'u'.repeat(offset)}${KEY}\n`).toString('base64')
    const clean = known().text(text)
    expect(clean).toContain(MARKER)
    expect(clean.replace(MARKER, '').length).toBeLessThan(offset * 2 + 8)
  })

  it('base64 that the base64 command wrapped is hidden in every line', () => {
    const lines = Buffer.from(`${LONG}\n`)
      .toString('base64')
      .replaceAll(/(.{76})/g, '$1\n')
    const clean = known(LONG).text(lines)
    expect(lines.split('\n').length).toBe(3)
    expect(clean.replaceAll(MARKER, '').length).toBeLessThan(8)
  })

  it.each([
    ['with the slash of PHP', (key: string) => JSON.stringify(key).replaceAll('/', '\\/')],
    ['with the escapes of Go', (key: string) => JSON.stringify(key).replaceAll('&', '\\u0026')],
    ['with the escapes of .NET', (key: string) => JSON.stringify(key).replaceAll('+', '\\u002B').replaceAll('&', '\\u0026')],
    ['in a URL with lowercase escapes', (key: string) => encodeURIComponent(key).replaceAll(/%../g, (digits) => digits.toLowerCase())],
    ['in a URL with an unescaped slash', (key: string) => encodeURIComponent(key).replaceAll('%2F', '/')],
  ])('a known key written %s is hidden', (_, write) => {
    const clean = known('Ab/3+cd&Ef=7ghijk').text(`a ${write('Ab/3+cd&Ef=7ghijk')} b`)
    expect(clean).toContain(MARKER)
    expect(clean).not.toMatch(/ghijk|3.*cd/)
  })

  it('a non-ASCII password is hidden, as plain text and as Python writes it', () => {
    const secrets = known('größe-und-weiß-42')
    expect(secrets.text('x größe-und-weiß-42 y')).toBe(`x ${MARKER} y`)
    expect(secrets.text('"gr\\u00f6\\u00dfe-und-wei\\u00df-42"')).toBe(`"${MARKER}"`)
  })

  it('a multi-line key is hidden even with line numbers, but its BEGIN and END lines are kept', () => {
    const pem = `-----BEGIN PRIVATE KEY-----\n${'Ab3/'.repeat(16)}\n${'Zx9+'.repeat(10)}\n-----END PRIVATE KEY-----\n`
    const numbered = pem.split('\n').map((line, at) => `${at + 1}\t${line}`)
    expect(known(pem).text(numbered.join('\r\n'))).toBe(
      ['1\t-----BEGIN PRIVATE KEY-----', `2\t${MARKER}`, `3\t${MARKER}`, '4\t-----END PRIVATE KEY-----', '5\t'].join('\r\n'),
    )
    expect(known(pem).text('-----BEGIN PRIVATE KEY-----')).toBe('-----BEGIN PRIVATE KEY-----')
  })

  it('a key that was saved with a trailing line break is also hidden without the line break', () => {
    expect(known(`${KEY}\n`).text(`a ${KEY} b`)).toBe(`a ${MARKER} b`)
  })

  it('every occurrence is replaced, whatever script surrounds it, and everything else is unchanged byte for byte', () => {
    const around = 'ü 你好 😀\u0000\r\n'
    expect(known().text(`${around}${KEY}${KEY}${around}${KEY}`)).toBe(`${around}${MARKER}${MARKER}${around}${MARKER}`)
    expect(known().text(around.repeat(100))).toBe(around.repeat(100))
  })

  it('text that matches a key only in the low bytes of its characters is unchanged', () => {
    const alike = [...KEY].map((char) => String.fromCharCode(char.charCodeAt(0) + 0x100)).join('')
    expect(known().text(`${alike}${KEY}${alike}`)).toBe(`${alike}${MARKER}${alike}`)
  })

  it.each(['ollama', 'lm-studio', 'not-needed', 'password', ''])('a short key such as "%s" hides nothing', (short) => {
    expect(known(short).text(`the word ${short} here`)).toBe(`the word ${short} here`)
  })

  it('if one key begins with another key, the longer key is hidden completely', () => {
    const secrets = createKnownSecrets()
    secrets.add('SHORT', KEY.slice(0, 20))
    secrets.add('LONG', KEY)
    expect(secrets.text(`${KEY} ${KEY.slice(0, 20)}.`)).toBe('[hidden by Countersign: LONG] [hidden by Countersign: SHORT].')
  })
})

describe('streamed output', () => {
  const through = (pieces: readonly Buffer[], secret = KEY): string => {
    const out: Buffer[] = []
    const stream = known(secret).stream((bytes) => out.push(Buffer.from(bytes)))
    for (const piece of pieces) stream.write(piece)
    stream.end()
    return Buffer.concat(out).toString()
  }

  it('a key is found wherever its bytes are split', () => {
    const text = Buffer.from(`one ${KEY} two ${KEY}`)
    for (let at = 1; at < text.length; at++) expect(through([text.subarray(0, at), text.subarray(at)])).toBe(`one ${MARKER} two ${MARKER}`)
  })

  it('a key that arrives byte by byte is hidden', () => {
    const text = Buffer.from(`one ${KEY.slice(0, 20)}${KEY} two`)
    expect(through([...text].map((byte) => Buffer.from([byte])))).toBe(`one ${KEY.slice(0, 20)}${MARKER} two`)
  })

  it('random bytes split at random places arrive as they were sent', () => {
    let seed = 7
    const random = (below: number): number => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) % below
    for (let round = 0; round < 200; round++) {
      const bytes = Buffer.from(Array.from({ length: 500 }, () => KEY.charCodeAt(random(4))))
      const cuts = Array.from({ length: 5 }, () => random(500)).toSorted((a, b) => a - b)
      const pieces = [0, ...cuts].map((from, at) => bytes.subarray(from, [...cuts, 500][at]))
      expect(through(pieces)).toBe(bytes.toString())
    }
  })

  it('the first bytes of a key are released if nothing follows soon, and the rest of the key stays hidden', async () => {
    const out: string[] = []
    const shown = Promise.withResolvers<void>()
    const stream = known().stream((bytes) => {
      out.push(bytes.toString())
      shown.resolve()
    })
    stream.write(Buffer.from(KEY.slice(0, 6)))
    expect(out).toEqual([])
    await shown.promise
    stream.write(Buffer.from(`${KEY.slice(6)} end`))
    stream.end()
    expect(out.join('')).toBe(`${KEY.slice(0, 6)}${MARKER} end`)
  })

  it('a longer part of a key is held back until the rest arrives, however slowly', async () => {
    const out: string[] = []
    const stream = known().stream((bytes) => out.push(bytes.toString()))
    for (const piece of ['a ', KEY.slice(0, 5), KEY.slice(5, -1), KEY.slice(-1), ' end']) {
      stream.write(Buffer.from(piece))
      await new Promise((resolve) => setTimeout(resolve, 60))
    }
    stream.end()
    expect(out.join('')).toBe(`a ${KEY.slice(0, 5)}${MARKER} end`)
  })

  it.each([8, 20, KEY.length - 1])('a key is hidden even if only %i of its bytes arrive before the output ends', (length) => {
    expect(through([Buffer.from(`one ${KEY.slice(0, length)}`)])).toBe(`one ${MARKER}`)
    expect(through([Buffer.from(`one ${KEY.slice(0, 5)}`), Buffer.from(KEY.slice(5, length))])).toBe(`one ${MARKER}`)
  })

  it('a few characters at the end of the output that only look like the beginning of a key are kept', () => {
    expect(through([Buffer.from('ask sk-')])).toBe('ask sk-')
  })

  const COLORED = [...KEY].map((char, at) => (at % 7 === 3 ? `\u001B[01;3${at % 8}m\u001B[K${char}\u001B(B\u001B[m` : char)).join('')
  const CODES = COLORED.replaceAll(/[^\u001B]*?(\u001B(?:\[[\d;]*[mK]|\(B))|[^\u001B]+$/g, '$1')

  it('a key with colors between its bytes is hidden wherever its bytes are split, and the colors are kept', () => {
    const text = Buffer.from(`one \u001B[1m${COLORED} two`)
    for (let at = 1; at < text.length; at++)
      expect(through([text.subarray(0, at), text.subarray(at)])).toBe(`one \u001B[1m${MARKER}${CODES} two`)
  })

  it('a colored key is hidden even if its last bytes do not arrive before the output ends', () => {
    const clean = through([Buffer.from(`one ${COLORED.slice(0, -3)}`)])
    expect(clean).toMatch(/^one \[hidden by Countersign: ANTHROPIC_API_KEY\]\u001B/)
    expect(clean).not.toContain('ant')
  })

  it.each([
    ['in a link', `\u001B]8;;https://example.com/?key=${KEY}\u0007here\u001B]8;;\u0007`],
    ['right after an incomplete escape sequence', `\u001B[${KEY}`],
    ['right after an escape character', `\u001B${KEY}`],
  ])('a key %s is hidden', (_, text) => {
    for (let at = 1; at < text.length; at++)
      expect(through([Buffer.from(text.slice(0, at)), Buffer.from(text.slice(at))])).toBe(text.replace(KEY, MARKER))
  })

  it('the beginning of a key is released if very many color codes follow', () => {
    const text = `${KEY.slice(0, 9)}${'\u001B[31m'.repeat(20_000)}`
    const out: Buffer[] = []
    const stream = known().stream((bytes) => out.push(Buffer.from(bytes)))
    stream.write(Buffer.from(text))
    expect(Buffer.concat(out).toString()).toBe(text)
    stream.end()
  })

  it('a key that is saved while output is streaming is hidden from then on', () => {
    const secrets = createKnownSecrets()
    const out: string[] = []
    const stream = secrets.stream((bytes) => out.push(bytes.toString()))
    stream.write(Buffer.from('a '))
    secrets.add('OpenAI key', KEY)
    stream.write(Buffer.from(KEY))
    stream.end()
    expect(out.join('')).toBe('a [hidden by Countersign: OpenAI key]')
  })
})
