import { isObject } from '../../shared/lib/json.ts'
import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { imageTypeOf, type JsonValue, MAX_PICTURE_BYTES, type ModelContent } from '../../shared/session/content.ts'
import { MAX_PIXELS, pictureSize } from '../../shared/session/picture-size.ts'
import { failure } from '../agent/tool-output.ts'
import type { RunContext, Tool, ToolOutput } from '../agent/ports/tool.ts'
import { noted } from '../tools/define/define-tool.ts'
import { fitToSchema } from '../tools/define/fit-to-schema.ts'
import type { CallContent, CallResult, ListedTool } from './connection.ts'

/** The services accept at most this many characters in the name of a tool. */
const MAX_NAME = 64
/** Maximum number of characters of a description that the model gets. */
const MAX_DESCRIPTION = 4_000
/** Maximum number of characters of a schema. A tool with a longer schema is not offered. */
const MAX_SCHEMA = 64 * 1024
/** Maximum number of characters of structured content that are kept for the screen. */
const MAX_DETAILS = 64 * 1024
/**
 * Maximum number of base64 characters of all pictures of one result: two pictures of the largest size. The limit is needed because the
 * pictures are sent again with each later request.
 */
const MAX_PICTURE_CHARS = 10_000_000

export interface OfferedTool {
  readonly server: string
  readonly tool: ListedTool
}

const cleaned = (name: string): string => name.replaceAll(/[^\w-]/gu, '_')
const shortHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 8)

/**
 * The name by which the model and rules refer to each tool: `mcp__server__tool`, with `_` in place of characters other than letters,
 * digits, `_` and `-`. A hash of the original names is appended to long names, and to all names that would otherwise be equal.
 */
export function toolNames(tools: readonly OfferedTool[]): ReadonlyMap<OfferedTool, string> {
  const plain = ({ server, tool }: OfferedTool): string => `mcp__${cleaned(server)}__${cleaned(tool.name)}`
  const times = new Map<string, number>()
  for (const each of tools) times.set(plain(each), (times.get(plain(each)) ?? 0) + 1)
  return new Map(
    tools.map((each) => {
      const name = plain(each)
      if (name.length <= MAX_NAME && times.get(name) === 1) return [each, name]
      const hash = shortHash(JSON.stringify([each.server, each.tool.name]))
      return [each, `${name.slice(0, MAX_NAME - hash.length - 1)}_${hash}`]
    }),
  )
}

export const fitsInRequest = ({ schema }: ListedTool): boolean => JSON.stringify(schema).length <= MAX_SCHEMA

/** `call` rejects with an `Error` that the model sees. */
export type CallTool = (
  args: { readonly [key: string]: JsonValue },
  options: { readonly signal: AbortSignal; onProgress(words: string): void; readonly ask: RunContext['ask'] },
) => Promise<CallResult>

/**
 * A tool of a server, for the model. What it does is not known in advance, so each call is judged by the tool's name and needs approval.
 */
export function createMcpTool({ tool }: OfferedTool, name: string, call: CallTool): Tool {
  return {
    isForeign: true,
    definition: {
      name,
      description: tool.description.slice(0, MAX_DESCRIPTION),
      parameters: { ...tool.schema, type: 'object' },
    },
    validate: (args) => (isObject(args) ? { ok: true, value: args } : { ok: false, failure: 'The arguments must be one JSON object.' }),
    prepare(value) {
      // `validate` has returned this value: an object parsed from JSON.
      const { args, note } = fitToSchema(tool.schema, value as { readonly [key: string]: JsonValue })
      const told = (result: ToolOutput): ToolOutput => (note === null ? result : noted(result, note))
      return Promise.resolve({
        kind: 'ready',
        effects: [
          {
            kind: 'unknown',
            summary: `Calls ${name}, a tool of an MCP server.`,
            tool: { name, arguments: JSON.stringify(args, null, 2) },
          },
        ],
        async commit(run) {
          const onProgress = (words: string): void => run.progress(words.slice(0, 200), 0)
          try {
            return told(outputOf(await call(args, { signal: run.signal, onProgress, ask: (effect) => run.ask(effect) })))
          } catch (error) {
            run.signal.throwIfAborted()
            return told(failure(error instanceof Error ? error.message : String(error)))
          }
        },
      })
    },
  }
}

type ShownPart = Exclude<ModelContent, string>[number]

/**
 * Structured content reaches the model only if the server sent no text. According to the protocol, the text repeats the structured
 * content.
 */
function outputOf({ content, structured, isError }: CallResult): ToolOutput {
  let room = MAX_PICTURE_CHARS
  const parts = content.map((block): ShownPart => {
    if (block.kind === 'text') return block
    const part = pictureOf(block, room)
    if (part.kind === 'image') room -= part.data.length
    return part
  })
  const hasText = parts.some((part) => part.kind === 'text' && part.text !== '')
  const json = structured === null ? '' : JSON.stringify(structured, null, 2)
  const all = hasText || json === '' ? parts : [...parts, { kind: 'text' as const, text: json }]
  const isText = all.every((part) => part.kind === 'text')
  const output = isText ? all.map(({ text }) => text).join('\n') || 'The tool returned nothing.' : all
  return { output, isError, details: json.length <= MAX_DETAILS ? structured : null }
}

/**
 * Returns the picture with the type found in its bytes, even if the server declares another type. If the picture cannot be used, returns a
 * line of text with the reason.
 */
function pictureOf({ mediaType, data }: Extract<CallContent, { readonly kind: 'image' }>, room: number): ShownPart {
  const leftOut = (why: string): ShownPart => ({ kind: 'text', text: `[picture left out: ${why}]` })
  if (data.length > MAX_PICTURE_BYTES * 2) return leftOut('it is too large')
  const bytes = Buffer.from(data, 'base64')
  const type = imageTypeOf(bytes)
  if (!type) return leftOut(`${mediaType.slice(0, 100)} is not supported, or it is not a picture`)
  const size = pictureSize(bytes, type)
  if (!size) return leftOut('it is damaged')
  if (bytes.length > MAX_PICTURE_BYTES || Math.max(size.width, size.height) > MAX_PIXELS)
    return leftOut(`it is too large (${size.width} by ${size.height} pixels, ${bytes.length} bytes)`)
  const encoded = bytes.toString('base64')
  return encoded.length > room
    ? leftOut('together, the pictures of this result are too large')
    : { kind: 'image', mediaType: type, data: encoded }
}
