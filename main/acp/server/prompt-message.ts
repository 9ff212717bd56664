import { Buffer } from 'node:buffer'
import { fileURLToPath } from 'node:url'
import type { ContentBlock, EmbeddedResourceResource } from '@agentclientprotocol/sdk'
import { ok, type Result } from '../../../shared/lib/result.ts'
import type { Picture } from '../../../shared/session/content.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import type { PersonMessage } from '../../../shared/session/person-message.ts'
import type { Pictures } from '../../sessions/attached-pictures.ts'

/**
 * Turns the content of a prompt into a message: the texts, with the paths of linked and embedded files; then the embedded files, each below
 * its path; and the pictures. Fails if a picture cannot be used.
 */
export function messageOf(content: readonly ContentBlock[], pictures: Pick<Pictures, 'keep'>): Result<PersonMessage, Trouble> {
  const kept: Picture[] = []
  const attached: string[] = []
  let text = ''
  for (const block of content) {
    switch (block.type) {
      case 'text':
        text += block.text
        break
      case 'image': {
        const picture = pictures.keep(Buffer.from(block.data, 'base64'))
        if (!picture.ok) return picture
        kept.push(picture.value)
        break
      }
      case 'resource_link':
        text += named(block.uri)
        break
      case 'resource':
        text += named(block.resource.uri)
        attached.push(embedded(block.resource))
        break
      case 'audio':
        attached.push('[An audio recording was left out.]')
        break
    }
  }
  return ok({ text: [text, ...attached].join('\n\n').trim(), ...(kept.length > 0 && { pictures: kept }) })
}

/**
 * A file's path with the lines or symbol that the editor gives, or the URI of anything else. Zed writes lines, counted from 1 with both
 * ends included, and names of symbols as `file:///a.ts?symbol=name#L3:5`, or as `zed:///agent/selection?path=/a.ts#L3:5`.
 */
function named(uri: string): string {
  const url = URL.parse(uri)
  const path = url && pathOf(url)
  if (!url || path === null) return uri
  const symbol = url.searchParams.get('symbol') ?? /^\/agent\/symbol\/([^/]+)$/u.exec(url.pathname)?.[1]
  const facts = [...(symbol ? [decoded(symbol)] : []), ...linesOf(url.hash)]
  return facts.length === 0 ? path : `${path} (${facts.join(', ')})`
}

function pathOf(url: URL): string | null {
  if (url.protocol === 'zed:') return url.pathname === '/agent/untitled-buffer' ? 'an unsaved file' : url.searchParams.get('path')
  if (url.protocol !== 'file:') return null
  const plain = new URL(url)
  plain.hash = plain.search = ''
  try {
    return fileURLToPath(plain)
  } catch {
    return null
  }
}

/** `#L3:5`, `#L3-L5` and `#L3`. */
function linesOf(fragment: string): readonly string[] {
  const [, first, last = first] = /^#L(\d+)(?:[:-]L?(\d+))?$/u.exec(fragment) ?? []
  if (first === undefined) return []
  return [first === last ? `line ${first}` : `lines ${first} to ${last}`]
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function embedded(resource: EmbeddedResourceResource): string {
  const path = named(resource.uri)
  if (!('text' in resource)) return `[${path} is not text, so its content was left out.]`
  const fence = fenceFor(resource.text)
  return `${path}:\n${fence}\n${resource.text}\n${fence}`
}

/** A fence of backticks that the text does not contain. */
export function fenceFor(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/gu)].map(([ticks]) => ticks.length))
  return '`'.repeat(longest + 1)
}
