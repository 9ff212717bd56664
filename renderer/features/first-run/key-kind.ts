import type { ProviderId } from '../../../shared/session/content.ts'

/** Whose key this is, by how it begins; null where that does not tell. */
export function providerOfKey(key: string): ProviderId | null {
  if (key.startsWith('sk-ant-')) return 'anthropic'
  if (key.startsWith('AIza')) return 'gemini'
  return key.startsWith('sk-') ? 'openai' : null
}
