import type { ProviderId } from '../../shared/session/content.ts'
import { anthropicProfile } from './anthropic.ts'
import type { ProviderProfile } from './profile.ts'

/** The profile of a provider's model; whatever has no own is treated as Anthropic's (D-49). */
export function profileFor(provider: ProviderId): ProviderProfile {
  switch (provider) {
    case 'anthropic':
    case 'rehearsal':
    case 'openai':
    case 'gemini':
    case 'openai-compatible':
      return anthropicProfile
  }
}
