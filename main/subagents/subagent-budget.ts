import { tokensOf, type Usage } from '../../shared/session/content.ts'
import type { Lease } from '../../shared/session/settings/budget-lease.ts'
import type { Budget, Overspent } from '../agent/ports/budget.ts'
import type { Clock } from '../agent/ports/clock.ts'

export interface Spent {
  readonly tokens: number
  /** An unknown cost counts as 0. */
  readonly costUsd: number
}

export const NOTHING_SPENT: Spent = { tokens: 0, costUsd: 0 }

export function spentOf({ usage, costUsd }: { readonly usage: Usage; readonly costUsd: number | null }): Spent {
  return { tokens: tokensOf(usage), costUsd: costUsd ?? 0 }
}

export function addSpent(a: Spent, b: Spent): Spent {
  return { tokens: a.tokens + b.tokens, costUsd: a.costUsd + b.costUsd }
}

/** The amount that a subagent uses of its parent's budget: its entire budget while it runs, and afterwards what it spent. */
export function taken(lease: Lease, spent: Spent, isOver: boolean): Spent {
  if (isOver) return spent
  return { tokens: Math.max(lease.tokens ?? 0, spent.tokens), costUsd: Math.max(lease.costUsd ?? 0, spent.costUsd) }
}

/**
 * The budget to grant: the requested budget, but at most the rest of the parent's. Null if nothing is left. A limit that was not
 * requested reserves nothing; the subagent then spends from the family's budget.
 */
export function granted(asked: Lease, own: Lease, used: Spent): Lease | null {
  const left = {
    tokens: own.tokens === null ? null : own.tokens - used.tokens,
    costUsd: own.costUsd === null ? null : own.costUsd - used.costUsd,
  }
  if ((left.tokens !== null && left.tokens <= 0) || (left.costUsd !== null && left.costUsd <= 0)) return null
  return {
    tokens: asked.tokens && least(asked.tokens, left.tokens),
    costUsd: asked.costUsd && least(asked.costUsd, left.costUsd),
    minutes: least(asked.minutes, own.minutes),
    turns: asked.turns,
  }
}

function least(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b
  return Math.min(a, b)
}

export interface BudgetParts {
  lease(): Lease
  /** Start of the session's time limit, in ms since 1970. If the computer's clock is changed later, only the next process is affected. */
  readonly startedAt: number
  /** The amount spent by subagents, including what they have reserved. */
  spentByOthers(): Spent
  /** For a subagent: checks those limits of the parent that the subagent does not have itself. */
  family?(): Overspent | null
  /** Checks the turn's limit. */
  turn?(unloggedTokens: number): Overspent | null
  readonly clock: Clock
}

export function createBudget({ lease, startedAt, spentByOthers, family, turn, clock }: BudgetParts): Budget {
  const passedMs = Math.max(0, clock.now() - startedAt) - clock.elapsed()
  return {
    overspent(own, unloggedTokens = 0): Overspent | null {
      const { tokens, costUsd, minutes } = lease()
      const used = [spentOf(own), spentByOthers(), { tokens: unloggedTokens, costUsd: 0 }].reduce(addSpent)
      if (tokens !== null && used.tokens >= tokens) return { reason: 'tokens', limit: tokens }
      if (costUsd !== null && used.costUsd >= costUsd) return { reason: 'cost', limit: costUsd }
      if (minutes !== null && passedMs + clock.elapsed() >= minutes * 60_000) return { reason: 'time', limit: minutes }
      return family?.() ?? turn?.(unloggedTokens) ?? null
    },
  }
}
