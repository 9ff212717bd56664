import fc from 'fast-check'
import type { Token } from 'marked'
import { describe, expect, test } from 'vitest'
import { blocksOf, grow, type GrowingBlocks, NO_BLOCKS } from '../../../../../renderer/features/ledger/markdown/blocks.ts'

const PIECES = [
  'A sentence about `code`. ',
  '\n\n',
  '\n',
  '- one\n- two\n',
  '1. first\n2. second\n',
  '# A heading\n',
  '```ts\nconst a = 1\n```\n',
  '> quoted\n',
  '| a | b |\n|---|---|\n| 1 | 2 |\n',
  '**bold** and *thin*',
  '  indented',
  '---\n',
  'a\r\nb',
] as const

const doneOf = ({ sections, chunks, rest }: GrowingBlocks): readonly Token[] => [...sections.flat(2), ...chunks.flat(), ...rest]
const paragraphs = (count: number): string => Array.from({ length: count }, (_, index) => `Paragraph ${index}.`).join('\n\n')
const told = (tokens: readonly Token[]): readonly string[] => tokens.map((token) => `${token.type}:${token.raw}`)

describe('a text that is still being written', () => {
  test('is parsed into the same blocks whether in chunks or at once', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 14 }), fc.array(fc.nat(40), { maxLength: 20 }), (pieces, cuts) => {
        const text = pieces.join('')
        let blocks = NO_BLOCKS
        let upTo = 0
        for (const cut of [...cuts, text.length]) {
          upTo = Math.min(text.length, upTo + cut)
          // A carriage return at the end of the text may be the first half of a line break, so the cut is moved past it.
          if (text[upTo - 1] === '\r') upTo++
          blocks = grow(blocks, text.slice(0, upTo))
        }
        expect(told([...doneOf(blocks), ...blocks.open])).toEqual(told(blocksOf(text)))
      }),
      { numRuns: 400 },
    )
  })

  test('keeps the objects of finished blocks, so that they are not rendered again', () => {
    const first = grow(NO_BLOCKS, 'One.\n\nTwo.\n\nThr')
    const second = grow(first, 'One.\n\nTwo.\n\nThree and more.')
    expect(doneOf(first).length).toBeGreaterThan(0)
    expect(doneOf(first).every((token, index) => token === doneOf(second)[index])).toBe(true)
    expect(grow(second, 'One.\n\nTwo.\n\nThree and more.!').rest).toBe(second.rest)
  })

  test('keeps complete chunks of a long text, whatever is appended', () => {
    const first = grow(NO_BLOCKS, paragraphs(100))
    const second = grow(first, paragraphs(300))
    expect([first.chunks.length, second.chunks.length]).toEqual([3, 9])
    expect(first.chunks.every((chunk, index) => chunk === second.chunks[index])).toBe(true)
    expect(told([...doneOf(second), ...second.open])).toEqual(told(blocksOf(paragraphs(300))))
  })

  test('keeps its complete sections, and fewer than 16 chunks follow them, however long the text is', () => {
    let blocks = NO_BLOCKS
    const seen: GrowingBlocks[] = []
    for (let count = 500; count <= 5_000; count += 500) seen.push((blocks = grow(blocks, paragraphs(count))))
    expect(Math.max(...seen.map(({ chunks }) => chunks.length))).toBeLessThan(16)
    expect(blocks.sections.length).toBe(9)
    expect(seen.every(({ sections }) => sections.every((section, index) => section === blocks.sections[index]))).toBe(true)
    expect(told([...doneOf(blocks), ...blocks.open])).toEqual(told(blocksOf(paragraphs(5_000))))
  })

  test('is parsed from the start if it no longer begins with the known text', () => {
    expect(told(grow(grow(NO_BLOCKS, 'One.\n\nTwo.'), 'Other.').open)).toEqual(['paragraph:Other.'])
  })
})

describe('a malicious text', () => {
  const asItCame = (text: string) => [`code:${text}`]

  test.each([
    ['20 000 nested quotes', '>'.repeat(20_000)],
    ['5 000 nested lists', `${'- '.repeat(5_000)}x`],
    ['list items indented by up to 900 spaces', Array.from({ length: 900 }, (_, depth) => `${' '.repeat(depth)}- x`).join('\n')],
    ['more than half a million characters', 'a '.repeat(300_000)],
  ])('%s: is shown unchanged', (_, text) => {
    expect(told(blocksOf(text))).toEqual(asItCame(text))
  })

  test('with 40,000 emphasis marks becomes a paragraph without emphasis', () => {
    const [paragraph] = blocksOf('*a_'.repeat(20_000))
    expect(paragraph).toMatchObject({ type: 'paragraph', tokens: [{ type: 'text' }] })
  })

  test.each(['*a* ', '_a_ ', '~~a~~ '])('a long paragraph keeps its emphasis if it has at most 200 marks: %j', (piece) => {
    const most = 200 / piece.replaceAll(/[^*_~]/g, '').length
    const types = (count: number): readonly string[] => {
      const [paragraph] = blocksOf(`${piece.repeat(count)}${'word '.repeat(300)}`)
      return paragraph && 'tokens' in paragraph ? [...new Set(paragraph.tokens?.map(({ type }) => type))] : []
    }
    expect(types(most)).toHaveLength(2)
    expect(types(most + 1)).toEqual(['text'])
  })

  test('rules, table lines and deep indentation inside a code fence are plain text', () => {
    const text = `${'-'.repeat(80)}\n\n\`\`\`\n${' '.repeat(60)}- x\n${'> '.repeat(30)}\n\`\`\`\n\nEnd.`
    expect(blocksOf(text).map(({ type }) => type)).toEqual(['hr', 'space', 'code', 'space', 'paragraph'])
  })

  test('block HTML is a separate token', () => {
    const html = blocksOf('<img src=x onerror=alert(1)>\n\nand <b>bold</b>')
    expect(html[0]).toMatchObject({ type: 'html', raw: expect.stringContaining('<img') })
  })
})
