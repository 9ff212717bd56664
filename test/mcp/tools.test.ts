import { Buffer } from 'node:buffer'
import { expect, test } from 'vitest'
import type { RunContext } from '../../main/agent/ports/tool.ts'
import type { CallContent } from '../../main/mcp/connection.ts'
import { createMcpTool } from '../../main/mcp/mcp-tool.ts'
import { GIF, png } from '../support/small-pictures.ts'

const RED = png(2, 2, [255, 0, 0])
const LARGE = Buffer.concat([RED, Buffer.alloc(3_700_000)])

const image = (mediaType: string, bytes: Buffer): CallContent => ({ kind: 'image', mediaType, data: bytes.toString('base64') })

/** Returns what the model gets for a result with this content. */
async function outputOf(...content: readonly CallContent[]): Promise<unknown> {
  const result = { content, structured: null, isError: false }
  const tool = createMcpTool({ server: 's', tool: { name: 't', description: '', schema: {} } }, 'mcp__s__t', () => Promise.resolve(result))
  const prepared = await tool.prepare({}, {} as never)
  if (prepared.kind !== 'ready') throw new Error('It was rejected.')
  return (await prepared.commit({ signal: new AbortController().signal } as unknown as RunContext)).output
}

test.each([
  [
    'a picture is passed on unchanged',
    [image('image/png', RED)],
    [{ kind: 'image', mediaType: 'image/png', data: RED.toString('base64') }],
  ],
  [
    'the type of a picture is detected from its bytes',
    [image('image/png', GIF)],
    [{ kind: 'image', mediaType: 'image/gif', data: GIF.toString('base64') }],
  ],
  [
    'a drawing that could run scripts is replaced by a line of text',
    [image('image/svg+xml', Buffer.from('<svg><script>1</script></svg>'))],
    '[picture left out: image/svg+xml is not supported, or it is not a picture]',
  ],
  ['a damaged picture is replaced by a line of text', [image('image/png', RED.subarray(0, 36))], '[picture left out: it is damaged]'],
  [
    'a picture with too many pixels is replaced by a line of text',
    [image('image/png', png(9_000, 1, [0, 0, 0]))],
    expect.stringMatching(/^\[picture left out: it is too large \(9000 by 1 pixels, \d+ bytes\)\]$/u),
  ],
  [
    'a giant picture is replaced by a line of text',
    [image('image/png', Buffer.concat([LARGE, LARGE, LARGE]))],
    '[picture left out: it is too large]',
  ],
  [
    'if there are many pictures, only those that fit are kept',
    [LARGE, LARGE, LARGE].map((bytes) => image('image/png', bytes)),
    [
      ...Array.from({ length: 2 }, () => expect.objectContaining({ kind: 'image' })),
      { kind: 'text', text: '[picture left out: together, the pictures of this result are too large]' },
    ],
  ],
])('result of a server: %s', async (_, content, output) => {
  expect(await outputOf(...content)).toEqual(output)
})
