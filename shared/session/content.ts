import type { ToolCallId } from '../lib/ids.ts'

/** Names of the providers, as on the command line and in settings (D-49). */
export type ProviderId = 'anthropic' | 'openai' | 'gemini' | 'openai-compatible' | 'rehearsal'

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue }

export interface TextPart {
  readonly kind: 'text'
  readonly text: string
  /** Opaque proof that some vendors attach to a part and want back unchanged. */
  readonly signature?: string
}

/** Reasoning as shown by the vendor. Valid for the provider and model of its turn only (L-11); goes back untouched. */
export interface ThinkingPart {
  readonly kind: 'thinking'
  readonly text: string
  readonly signature: string | null
  /** The vendor's whole item where it wants that back, unchanged, instead of text and signature. */
  readonly item?: JsonValue
}

/** A part that we cannot read and must send back unchanged: redacted thinking, encrypted reasoning items. */
export interface OpaquePart {
  readonly kind: 'opaque'
  readonly data: JsonValue
}

/** A request of the model. `argsText` is the vendor's raw text, byte for byte; it is parsed once, in dispatch. */
export interface ToolCallPart {
  readonly kind: 'tool_call'
  readonly toolCallId: ToolCallId
  readonly toolName: string
  readonly argsText: string
  readonly signature?: string
  /** The model wrote plain text, which `argsText` holds as `{"input": text}`; it goes back in the same way. */
  readonly freeForm?: true
}

/** `data` is base64. */
export interface ImagePart {
  readonly kind: 'image'
  readonly mediaType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp'
  readonly data: string
}

/** A picture that lies at a public https address; it is the service that fetches it. */
export interface LinkedImagePart {
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

/** What an assistant turn consists of, in the order in which the model wrote it (P2-10). */
export type ContentPart = TextPart | ThinkingPart | OpaquePart | ToolCallPart

/** What a person's message consists of, in its order. */
export type UserPart = TextPart | ImagePart | LinkedImagePart

/** What the model can be shown as a tool's result; a string is shorthand for one text part (D-48). */
export type ModelContent = string | readonly (TextPart | ImagePart | DocumentPart)[]

/** The text of an answer, or its reasoning. */
export function partsText(parts: readonly ContentPart[], kind: 'text' | 'thinking' = 'text'): string {
  return parts.map((part) => (part.kind === kind ? part.text : '')).join('')
}

/** The text of a tool's result, with pictures and documents named in brackets. */
export function contentText(content: ModelContent): string {
  if (typeof content === 'string') return content
  return content.map((part) => (part.kind === 'text' ? part.text : `[${part.kind}: ${part.mediaType}]`)).join('\n')
}

/** Tokens. `input` excludes what was read from or written to the cache; `output` includes reasoning. */
export interface Usage {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
  /** The part of `cacheWrite` that is kept for an hour, which costs more; left out: none. */
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
