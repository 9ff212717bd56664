import { Buffer } from 'node:buffer'
import type { ModelRequest } from '../../../main/agent/ports/provider.ts'
import type { BodyFormat } from '../../../main/providers/body/body-format.ts'
import { createBodyWriter } from '../../../main/providers/body/body-writer.ts'

/** Returns a function that turns requests into text. It passes all requests to the same body writer, one after another. */
export function textWriter(format: BodyFormat): (request: ModelRequest) => string {
  const write = createBodyWriter(format)
  return (request) => new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(write(request)))
}

export type Body = Readonly<Record<string, unknown>>

/** Returns the parsed body of a single request. */
export function bodyOf(format: BodyFormat, request: ModelRequest): Body {
  return JSON.parse(textWriter(format)(request)) as Body
}
