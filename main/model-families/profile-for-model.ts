import { assertNever } from '../../shared/lib/assert-never.ts'
import type { ProviderId } from '../../shared/session/content.ts'
import { anthropicProfile } from './anthropic.ts'
import { geminiProfile } from './gemini.ts'
import { openaiProfile } from './openai.ts'
import type { ProviderProfile } from './family-profile.ts'

/**
 * Returns the profile for a provider's model. For a model of an OpenAI-compatible server, the family is recognized by the model's name; if
 * no family matches, Anthropic's profile is used.
 */
export function profileForModel(provider: ProviderId, model = ''): ProviderProfile {
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

/** An OpenAI-compatible server has no default model; the user must give one. */
const unnamed: ProviderProfile = { ...anthropicProfile, defaultModel: '' }

/**
 * Chooses the profile by the model's name, such as `gemma3:27b`. The name of a vendor or owner may precede it, as in `openai/gpt-oss-120b`.
 */
function profileOfFamily(model: string): ProviderProfile {
  const name = model.slice(model.lastIndexOf('/') + 1).toLowerCase()
  if (name === '') return unnamed
  if (/^(gpt|o\d|codex|chatgpt)/.test(name)) return openaiProfile
  return /^(gemini|gemma)/.test(name) ? geminiProfile : anthropicProfile
}
