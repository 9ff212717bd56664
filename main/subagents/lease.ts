import { tokensOf, type Usage } from '../../shared/session/content.ts'
import type { Lease } from '../../shared/session/events.ts'
import type { Budget, Overspent } from '../agent/ports/budget.ts'
import type { Clock } from '../agent/ports/clock.ts'

export interface Spent {
  readonly tokens: number
  /** A price that is not known counts nothing. */
  readonly costUsd: number
}

export const NOTHING_SPENT: Spent = { tokens: 0, costUsd: 0 }

export function spentOf({ usage, costUsd }: { readonly usage: Usage; readonly costUsd: number | null }): Spent {
  return { tokens: tokensOf(usage), costUsd: costUsd ?? 0 }
}

export function addSpent(a: Spent, b: Spent): Spent {
  return { tokens: a.tokens + b.tokens, costUsd: a.costUsd + b.costUsd }
}

/** What a subagent takes from its parent: all of its lease while it may still spend it, afterwards what it spent. */
export function taken(lease: Lease, spent: Spent, isOver: boolean): Spent {
  if (isOver) return spent
  return { tokens: Math.max(lease.tokens ?? 0, spent.tokens), costUsd: Math.max(lease.costUsd ?? 0, spent.costUsd) }
}

/**
 * The lease that can be given: what is asked for, and never more than is left of the parent's own. Null: nothing is left. Of what nobody asked
 * to limit nothing is reserved: the subagent spends from what the whole family has.
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
  /** Ms since the epoch: from here its minutes count. What the computer's clock is set to later changes them only for the next process. */
  readonly startedAt: number
  /** By subagents, what they have reserved included. */
  spentByOthers(): Spent
  /** Of a subagent: what its parent's lease says, where its own says nothing. */
  family?(): Overspent | null
  /** What the turn may spend. */
  turn?(): Overspent | null
  readonly clock: Clock
}

export function createBudget({ lease, startedAt, spentByOthers, family, turn, clock }: BudgetParts): Budget {
  const passedMs = Math.max(0, clock.now() - startedAt) - clock.elapsed()
  return {
    overspent(own): Overspent | null {
      const { tokens, costUsd, minutes } = lease()
      const used = addSpent(spentOf(own), spentByOthers())
      if (tokens !== null && used.tokens >= tokens) return { reason: 'tokens', limit: tokens }
      if (costUsd !== null && used.costUsd >= costUsd) return { reason: 'cost', limit: costUsd }
      if (minutes !== null && passedMs + clock.elapsed() >= minutes * 60_000) return { reason: 'time', limit: minutes }
      return family?.() ?? turn?.() ?? null
    },
  }
}
