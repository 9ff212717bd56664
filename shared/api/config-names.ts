import { z } from 'zod'
import { APPROVAL_MODES } from '../session/settings/approval-mode.ts'
import { EFFORTS } from '../session/settings/effort.ts'

// Separate from the contract: settings are read at every start, also without a contract.
export const ProviderName = z.enum(['anthropic', 'openai', 'gemini', 'openai-compatible', 'rehearsal'])
export const Mode = z.enum(APPROVAL_MODES)
export const Effort = z.enum(EFFORTS).nullable()
