/** A command's time limit in ms if nobody names one. */
export const DEFAULT_COMMAND_MS = 10_000

/** The longest time limit in ms that a call, a setting or a host may name. */
export const MAX_COMMAND_MS = 600_000
