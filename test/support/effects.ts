import type { CommandEffect } from '../../shared/session/effects.ts'

/** The effect of running a command line in the folder `/ws`. */
export const commandEffect = (command: string, more: Partial<CommandEffect> = {}): CommandEffect => ({
  kind: 'command',
  command,
  cwd: '/ws',
  outside: false,
  env: {},
  timeoutMs: 1000,
  destructive: false,
  ...more,
})
