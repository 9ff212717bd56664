import { Buffer } from 'node:buffer'
import type { Hook } from '../../shared/session/hooks.ts'
import type { Transport } from '../providers/http/transport.ts'
import type { HookEnd } from './hook-answer.ts'

/** Maximum number of bytes of an answer that are read. */
const MAX_ANSWER = 256 * 1024

export interface PostParts {
  readonly transport: Pick<Transport, 'fetch' | 'body'>
  /** Environment variables that headers may reference. Secrets of the app are not among them. */
  readonly variables: NodeJS.ProcessEnv
}

/**
 * Sends a hook's input to its address. Only JSON with a 2xx status can contain a decision. Any other status is a failure. Never rejects.
 */
export async function callHttpHook(
  { command: url, http = {}, timeoutMs }: Pick<Hook, 'command' | 'http' | 'timeoutMs'>,
  input: string,
  { transport, variables }: PostParts,
  signal: AbortSignal,
): Promise<HookEnd> {
  const timeout = AbortSignal.timeout(timeoutMs)
  const failed = (why: string): HookEnd => ({ exitCode: null, stdout: '', stderr: '', why })
  try {
    const headers = headersOf(http, variables)
    const response = await transport.fetch(url, {
      method: 'POST',
      body: input,
      signal: AbortSignal.any([signal, timeout]),
      headers: { ...headers, 'content-type': 'application/json' },
    })
    if (!response.ok) return failed(`${url} answered with status ${response.status}`)
    const text = await textOf(transport.body(response))
    return { exitCode: 0, stdout: text.trimStart().startsWith('{') ? text : '', stderr: '', why: '' }
  } catch (error) {
    if (timeout.aborted) return failed(`${url} did not answer within ${Math.round(timeoutMs / 1_000)} s`)
    return failed(error instanceof Error ? error.message.replace(/\.$/u, '') : String(error))
  }
}

/**
 * Replaces `$NAME` and `${NAME}` with the variable's value, or with nothing if the hook does not list the variable. Throws if a listed
 * variable is not set.
 */
function headersOf(
  { headers = {}, variables: listed = [] }: NonNullable<Hook['http']>,
  variables: NodeJS.ProcessEnv,
): Record<string, string> {
  const valueOf = (name: string): string => {
    const value = listed.includes(name) ? variables[name] : ''
    if (value === undefined) throw new Error(`its header needs the variable ${name}, which is not set or contains one of your secrets`)
    return value
  }
  const filled = (text: string): string =>
    text.replaceAll(/\$(?:\{(\w+)\}|(\w+))/gu, (_, braced: string | undefined, plain: string | undefined) => valueOf(braced ?? plain ?? ''))
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, filled(value)]))
}

async function textOf(body: AsyncIterable<Uint8Array> & { destroy(): unknown }): Promise<string> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of body) {
    pieces.push(piece)
    bytes += piece.byteLength
    if (bytes > MAX_ANSWER) {
      body.destroy()
      throw new Error('its answer is longer than 256 KB')
    }
  }
  return Buffer.concat(pieces).toString('utf8')
}
