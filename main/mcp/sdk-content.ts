import type { ContentBlock } from '@modelcontextprotocol/client'
import type { CallContent } from './connection.ts'

/** A block of a server's content; of what a model cannot read, only its type. */
export function contentOf(block: ContentBlock): CallContent {
  switch (block.type) {
    case 'text':
      return { kind: 'text', text: block.text }
    case 'image':
      return { kind: 'image', mediaType: block.mimeType, data: block.data }
    case 'audio':
      return { kind: 'text', text: `[audio: ${block.mimeType}]` }
    case 'resource_link':
      return { kind: 'text', text: `[resource: ${block.uri}]` }
    case 'resource':
      return { kind: 'text', text: 'text' in block.resource ? block.resource.text : `[resource: ${block.resource.uri}]` }
  }
}
