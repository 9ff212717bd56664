import type { SessionConfigured, Trouble } from '../../../shared/session/events.ts'
import { groupedCount } from '../../../shared/lib/short-count.ts'
import { findModel } from './catalogue.ts'
import type { Learned } from './learned.ts'
import type { ServedWindow } from './server-window.ts'

/** How much a model can take, as far as it is known. */
export interface Window {
  /** Tokens; null when unknown. */
  readonly contextWindow: number | null
  /** Tokens that a request may have: what compaction goes by. Assumed where nothing is known. */
  readonly inputLimit: number
  /** What the person should know of it before it is felt; null: nothing. */
  readonly trouble: Trouble | null
}

/** Tokens, where nothing is known of a model: what most that are served today can take. */
const ASSUMED = 128_000
/** Below this an agent with all its tools and a file or two has no room; it gets fewer tools and a short prompt. */
export const SMALL_WINDOW = 16_000
/** Of a window that counts the answer too, what is left free for that: at most so many tokens, and at most this share. */
const ANSWER = 8_192
const ANSWER_SHARE = 0.25

export interface WindowParts {
  readonly learned: Learned
  /** Tokens that the person set for a model; null: nothing. */
  set(config: Pick<SessionConfigured, 'provider' | 'model'>): number | null
  /** What the server of this address said of the model when it was asked last; null: it was not asked, or did not say. */
  served(address: string | null, model: string): ServedWindow | null
}

/** The person's word counts before the service's, the service's before the catalogue's. */
export function windowOf(
  parts: WindowParts,
  { provider, model }: Pick<SessionConfigured, 'provider' | 'model'>,
  address: string | null,
): Window {
  const set = parts.set({ provider, model })
  if (set !== null) return { contextWindow: set, inputLimit: set, trouble: null }
  const served = parts.served(address, model)
  const known = findModel(provider, model)
  const told = parts.learned.window(`${provider} ${address ?? ''}`, model)
  if (served) return { contextWindow: served.tokens, inputLimit: least(room(served.tokens), told), trouble: tooSmall(model, served) }
  if (known) return { contextWindow: known.contextWindow, inputLimit: least(known.maxInput ?? known.contextWindow, told), trouble: null }
  if (told !== null) return { contextWindow: told, inputLimit: room(told), trouble: null }
  return { contextWindow: null, inputLimit: ASSUMED, trouble: assumed(model) }
}

const least = (limit: number, told: number | null): number => (told === null ? limit : Math.min(limit, told))

const room = (window: number): number => window - Math.min(ANSWER, Math.floor(window * ANSWER_SHARE))

function tooSmall(model: string, { tokens, raise }: ServedWindow): Trouble | null {
  if (tokens >= SMALL_WINDOW) return null
  return {
    code: 'window_small',
    what: `${model} takes only ${groupedCount(tokens)} tokens at once on this server, which is little for work on a project.`,
    kept: 'The agent works with a short prompt and its six basic tools, and older parts of the conversation are summed up early.',
    todo: raise ?? 'Choose a model with a larger window for larger tasks.',
  }
}

/** Code of the warning that is given when a conversation comes near a limit that is only assumed. */
const WINDOW_ASSUMED = 'window_assumed'

function assumed(model: string): Trouble {
  return {
    code: WINDOW_ASSUMED,
    what: `It is not known how many tokens ${model} can take; ${groupedCount(ASSUMED)} are assumed.`,
    kept: 'The conversation is summed up before it reaches that size, or when the service says that it is too long.',
    todo: 'Set the size under Settings, Models, if it is another.',
  }
}
