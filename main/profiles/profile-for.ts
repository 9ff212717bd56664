import { assertNever } from '../../shared/lib/assert-never.ts'
import type { ProviderId } from '../../shared/session/content.ts'
import { anthropicProfile } from './anthropic.ts'
import { geminiProfile } from './gemini.ts'
import { openaiProfile } from './openai.ts'
import type { ProviderProfile } from './profile.ts'

/** The profile of a provider's model; behind an OpenAI-compatible server by the model's family, else Anthropic's (D-49). */
export function profileFor(provider: ProviderId, model = ''): ProviderProfile {
  switch (provider) {
    case 'anthropic':
    case 'rehearsal':
      return anthropicProfile
    case 'openai':
      return openaiProfile
    case 'gemini':
      return geminiProfile
    case 'openai-compatible':
      return profileOfFamily(model)
    default:
      return assertNever(provider, 'provider')
  }
}

/** A server of one's own has no usual model: one must be named. */
const unnamed: ProviderProfile = { ...anthropicProfile, defaultModel: '' }

/** Told by the name alone, which may have a vendor or an owner before it: `openai/gpt-oss-120b`, `gemma3:27b`. */
function profileOfFamily(model: string): ProviderProfile {
  const name = model.slice(model.lastIndexOf('/') + 1).toLowerCase()
  if (name === '') return unnamed
  if (/^(gpt|o\d|codex|chatgpt)/.test(name)) return openaiProfile
  return /^(gemini|gemma)/.test(name) ? geminiProfile : anthropicProfile
}
