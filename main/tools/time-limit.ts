/** Milliseconds: what holds where nobody says anything (P2-44), and what nobody may exceed (D-08, S-04). */
export const DEFAULT_COMMAND_MS = 10_000
export const MAX_COMMAND_MS = 600_000

export interface TimeLimits {
  /** What the call names. */
  readonly call?: number | undefined
  /** What the user set for the session. */
  readonly session?: number | undefined
  readonly profile?: number | undefined
  readonly cap?: number | undefined
}

/** The one place where a command's time limit is found (D-46, T-05): call, else session, else profile, else 10 s; never above the cap. */
export function commandTimeLimit({ call, session, profile, cap = MAX_COMMAND_MS }: TimeLimits): number {
  const wanted = [call, session, profile].find((ms) => ms !== undefined && Number.isFinite(ms) && ms > 0) ?? DEFAULT_COMMAND_MS
  return Math.max(1, Math.min(Math.ceil(wanted), cap))
}
