import type { SessionConfigured, Trouble } from '../../../shared/session/events.ts'
import { groupedCount } from '../../../shared/lib/short-count.ts'
import { findModel } from './catalogue.ts'
import type { Learned } from './learned-from-refusals.ts'
import type { ServedWindow } from './served-context-windows.ts'

/** A model's context window, as far as it is known. */
export interface Window {
  /** Number of tokens; null if unknown. */
  readonly contextWindow: number | null
  /** Maximum number of tokens of a request. It decides when to compact. It is an assumed value if nothing is known. */
  readonly inputLimit: number
  /** A warning for the user; null if there is none. */
  readonly trouble: Trouble | null
}

/** Number of tokens that is assumed for an unknown model: as many as most current models support. */
const ASSUMED = 128_000
/** A window with fewer tokens than this has no room for all tools and a few files. The agent then gets fewer tools and a short prompt. */
export const SMALL_WINDOW = 16_000
/**
 * The space reserved for the answer in a window that includes it: at most this number of tokens, and at most this share of the window.
 */
const ANSWER = 8_192
const ANSWER_SHARE = 0.25

export interface WindowParts {
  readonly learned: Learned
  /** Number of tokens that the user set for a model; null if the user set none. */
  set(config: Pick<SessionConfigured, 'provider' | 'model'>): number | null
  /** The server's last report about the model; null if there is none. */
  served(address: string | null, model: string): ServedWindow | null
}

/**
 * Returns the context window from the first of these sources that knows it: the user's setting, the server's report, the catalogue, a limit
 * learned from a refusal.
 */
export function windowOf(
  parts: WindowParts,
  { provider, model }: Pick<SessionConfigured, 'provider' | 'model'>,
  address: string | null,
): Window {
  const set = parts.set({ provider, model })
  if (set !== null) return { contextWindow: set, inputLimit: set, trouble: null }
  const served = parts.served(address, model)
  const known = findModel(provider, model)
  const learned = parts.learned.window(`${provider} ${address ?? ''}`, model)
  if (served) return { contextWindow: served.tokens, inputLimit: least(room(served.tokens), learned), trouble: tooSmall(model, served) }
  if (known) return { contextWindow: known.contextWindow, inputLimit: least(known.maxInput ?? known.contextWindow, learned), trouble: null }
  if (learned !== null) return { contextWindow: learned, inputLimit: room(learned), trouble: null }
  return { contextWindow: null, inputLimit: ASSUMED, trouble: assumed(model) }
}

const least = (limit: number, learned: number | null): number => (learned === null ? limit : Math.min(limit, learned))

const room = (window: number): number => window - Math.min(ANSWER, Math.floor(window * ANSWER_SHARE))

function tooSmall(model: string, { tokens, raise }: ServedWindow): Trouble | null {
  if (tokens >= SMALL_WINDOW) return null
  return {
    code: 'window_small',
    what: `${model} has a context window of only ${groupedCount(tokens)} tokens on this server, which is small for work on a project.`,
    kept: 'The agent works with a short prompt and its six basic tools, and older parts of the conversation are summarized early.',
    todo: raise ?? 'Choose a model with a larger context window for larger tasks.',
  }
}

/** Code of the warning that the context window is only assumed. */
const WINDOW_ASSUMED = 'window_assumed'

function assumed(model: string): Trouble {
  return {
    code: WINDOW_ASSUMED,
    what: `The context window of ${model} is not known, so ${groupedCount(ASSUMED)} tokens are assumed.`,
    kept: 'The conversation is compacted before it reaches that size, or when the service says that it is too long.',
    todo: 'If that is wrong, set the context window in Settings > New sessions.',
  }
}
