import { z } from 'zod'

// Apart from the contract: settings are read at every start, also where no contract is served.
export const ProviderName = z.enum(['anthropic', 'openai', 'gemini', 'openai-compatible', 'rehearsal'])
export const Mode = z.enum(['plan', 'ask', 'accept-edits', 'auto', 'full'])
export const Effort = z.enum(['low', 'medium', 'high']).nullable()
