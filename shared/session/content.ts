import type { ToolCallId, BlobHash } from '../lib/ids.ts'

/** A picture that the user attached. Its bytes are in the blob store, and the log contains their hash. */
export interface Picture {
  readonly kind: 'picture'
  readonly mediaType: ImagePart['mediaType']
  readonly hash: BlobHash
  readonly bytes: number
}

/**
 * Maximum size of a picture that every vendor accepts. The smallest limit is Anthropic's: 5 MB of base64, which is 3.75 MB
 * (platform.claude.com/docs, "Vision", General limits). Gemini accepts requests of 20 MB in total (ai.google.dev/gemini-api/docs, "Image
 * understanding"), and OpenAI accepts more.
 */
export const MAX_PICTURE_BYTES = 3_750_000

/**
 * Maximum number of pictures per message. In requests with more than 20 pictures, Anthropic accepts only pictures of at most 2,000 by 2,000
 * pixels (platform.claude.com/docs, "Vision").
 */
export const MAX_PICTURES = 20

/** Maximum number of review comments that can be sent with one message. */
export const MAX_COMMENTS = 100

/** Provider names, as on the command line and in settings. */
export type ProviderId = 'anthropic' | 'openai' | 'gemini' | 'openai-compatible' | 'rehearsal'

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue }

export interface TextPart {
  readonly kind: 'text'
  readonly text: string
  /** Opaque data that some vendors attach to a part and require back unchanged. */
  readonly signature?: string
}

/** Reasoning as the vendor shows it. It is valid only for the provider and model of its turn, and is sent back unchanged. */
interface ThinkingPart {
  readonly kind: 'thinking'
  readonly text: string
  readonly signature: string | null
  /** The vendor's complete item, if the vendor requires it back unchanged in place of text and signature. */
  readonly item?: JsonValue
}

/** A part that we cannot read and must send back unchanged: redacted thinking, encrypted reasoning items. */
interface OpaquePart {
  readonly kind: 'opaque'
  readonly data: JsonValue
}

/** A tool call. `argsText` is the vendor's raw text, byte for byte. The dispatcher parses it once. */
export interface ToolCallPart {
  readonly kind: 'tool_call'
  readonly toolCallId: ToolCallId
  readonly toolName: string
  readonly argsText: string
  readonly signature?: string
  /** Set if the model wrote plain text, which `argsText` contains as `{"input": text}`. It is sent back as plain text. */
  readonly freeForm?: true
}

/** `data` is base64. */
export interface ImagePart {
  readonly kind: 'image'
  readonly mediaType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp'
  readonly data: string
}

/** A picture at a public https address, which the service fetches. */
interface LinkedImagePart {
  readonly kind: 'image_url'
  readonly url: string
}

/** `data` is base64. */
export interface DocumentPart {
  readonly kind: 'document'
  readonly mediaType: 'application/pdf'
  readonly name: string
  readonly data: string
}

/** The parts of an assistant turn, in the order the model wrote them. */
export type ContentPart = TextPart | ThinkingPart | OpaquePart | ToolCallPart

/** The parts of a user's message, in order. */
export type UserPart = TextPart | ImagePart | LinkedImagePart

/** A tool's result for the model. A string stands for one text part. */
export type ModelContent = string | readonly (TextPart | ImagePart | DocumentPart)[]

/** The text of an answer, or its reasoning. */
export function partsText(parts: readonly ContentPart[], kind: 'text' | 'thinking' = 'text'): string {
  return parts.map((part) => (part.kind === kind ? part.text : '')).join('')
}

/** The text in place of a picture or document: `[image: image/png]`. */
export function bracketed({ kind, mediaType }: Pick<ImagePart | DocumentPart, 'kind' | 'mediaType'>): string {
  return `[${kind}: ${mediaType}]`
}

/** The text of a tool's result, with the kinds and types of pictures and documents in brackets. */
export function contentText(content: ModelContent): string {
  if (typeof content === 'string') return content
  return content.map((part) => (part.kind === 'text' ? part.text : bracketed(part))).join('\n')
}

/** The pictures of a tool's result, in order. */
export function imagesOf(content: ModelContent | null): readonly ImagePart[] {
  return typeof content === 'string' || content === null ? [] : content.filter((part) => part.kind === 'image')
}

/** Returns the number of bytes that a base64 text encodes. */
export function base64Bytes(data: string): number {
  return Math.floor((data.replace(/=+$/u, '').length * 3) / 4)
}

/** Numbers of tokens. `input` excludes cache reads and writes. `output` includes reasoning. */
export interface Usage {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
  /** The part of `cacheWrite` that is kept for an hour, which costs more. If left out, it is 0. */
  readonly cacheWriteHour?: number
  readonly reasoning: number
}

export const NO_USAGE: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 }

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    ...((a.cacheWriteHour ?? b.cacheWriteHour) !== undefined && { cacheWriteHour: (a.cacheWriteHour ?? 0) + (b.cacheWriteHour ?? 0) }),
    reasoning: a.reasoning + b.reasoning,
  }
}

/** All tokens of a request and its answer. */
export function tokensOf({ input, output, cacheRead, cacheWrite }: Usage): number {
  return input + output + cacheRead + cacheWrite
}

/**
 * The type of an image, found by its bytes and not by its name: one of the four formats that every vendor accepts. Null for other
 * formats.
 */
export function imageTypeOf(bytes: Uint8Array): ImagePart['mediaType'] | null {
  const starts = (...first: readonly number[]): boolean => first.every((byte, at) => bytes[at] === byte)
  if (starts(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'image/png'
  if (starts(0xff, 0xd8, 0xff)) return 'image/jpeg'
  if (starts(0x47, 0x49, 0x46, 0x38) && (bytes[4] === 0x37 || bytes[4] === 0x39) && bytes[5] === 0x61) return 'image/gif'
  const isWebp = starts(0x52, 0x49, 0x46, 0x46) && [0x57, 0x45, 0x42, 0x50].every((byte, at) => bytes[at + 8] === byte)
  return isWebp ? 'image/webp' : null
}
