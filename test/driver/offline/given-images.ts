import { isObject } from '../../../shared/lib/json.ts'
import { Buffer } from 'node:buffer'
import { type ImagePart, type ProviderId, imageTypeOf } from '../../../shared/session/content.ts'
import type { Turn } from '../../../shared/session/conversation-turns.ts'
import { generation } from '../../../main/providers/gemini/gemini-model-traits.ts'
import type { Target } from '../../../main/providers/body/body-format.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * Converts a part of a message from the forms of other agents and SDKs: `type` for `kind`, and a picture's bytes or address in `source`
 * (Anthropic), `image_url` (OpenAI), `inlineData` and `fileData` (Gemini) or `image`. Other parts are returned unchanged.
 */
export function commonMessagePart(part: unknown): unknown {
  if (!isObject(part)) return part
  const kind = kindOf(part)
  if (kind === 'input_text' || kind === 'text') return { ...part, kind: 'text' }
  return imageIn(part, kind) ?? { ...part, ...(kind !== undefined && { kind }) }
}

/** Null if the part is not a picture in a known form. */
function imageIn(part: Fields, kind: unknown): unknown {
  const held = [part['source'], part['image_url'], part['image'], part['inlineData'], part['inline_data'], part['fileData']].find(
    (one) => one !== undefined,
  )
  const isImage = kind === 'image' || kind === 'image_url' || kind === 'input_image' || (kind === undefined && held !== undefined)
  if (!isImage) return null
  const facts = isObject(held) ? { ...part, ...held } : part
  const address = typeof held === 'string' ? held : (facts['url'] ?? facts['fileUri'] ?? facts['data'])
  const declared = facts['mediaType'] ?? facts['media_type'] ?? facts['mimeType'] ?? facts['mime_type']
  if (typeof address !== 'string') return { ...part, kind: 'image' }
  const inline = /^data:([^;,]*)(?:;[^;,]*)*?;base64,(.*)$/s.exec(address)
  if (inline) return image(inline[2] ?? '', inline[1])
  return /^[a-z][a-z\d+.-]*:/i.test(address) ? { kind: 'image_url', url: address } : image(address, declared)
}

/** The picture as a part. Its media type is the one that the bytes show, else the declared one, else PNG. */
function image(data: string, declared: unknown): Fields {
  const mediaType = imageTypeOf(Buffer.from(data.slice(0, 64), 'base64')) ?? (declared === '' ? undefined : declared) ?? 'image/png'
  return { kind: 'image', mediaType: mediaType === 'image/jpg' ? 'image/jpeg' : mediaType, data }
}

/** Maximum size of a picture in bytes. Anthropic and Gemini count the base64 text. */
const IMAGE_LIMITS: Readonly<Partial<Record<ProviderId, { readonly most: number; readonly of: 'bytes' | 'base64' }>>> = {
  anthropic: { most: 5 * 1024 * 1024, of: 'base64' },
  openai: { most: 20 * 1024 * 1024, of: 'bytes' },
  gemini: { most: 20 * 1024 * 1024, of: 'base64' },
}

/** The reason, as a sentence, why the service would reject a picture in these turns; null if it would not. */
export function flawOfImages(turns: readonly Turn[], { provider, model }: Target): string | null {
  for (const turn of turns) {
    if ((turn.kind !== 'user' && turn.kind !== 'steering') || typeof turn.content === 'string') continue
    for (const part of turn.content) {
      if (part.kind === 'image_url' && provider === 'gemini' && generation(model) < 2.5)
        return `${model} does not accept pictures by address. Pass the bytes instead of ${part.url}.`
      const flaw = part.kind === 'image' ? flawOfSize(part, provider) : null
      if (flaw !== null) return flaw
    }
  }
  return null
}

function flawOfSize({ data }: ImagePart, provider: ProviderId): string | null {
  const limit = IMAGE_LIMITS[provider]
  if (!limit) return null
  const size = limit.of === 'base64' ? data.length : Buffer.byteLength(data, 'base64')
  return size <= limit.most
    ? null
    : `A picture has ${size} bytes${limit.of === 'base64' ? ' in base64' : ''}; at most ${limit.most} are allowed.`
}

function kindOf(part: Fields): unknown {
  const kind = part['kind'] ?? part['type']
  return typeof kind === 'string' ? kind.toLowerCase() : kind
}
