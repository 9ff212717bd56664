import type { Trouble } from '../../../shared/session/events.ts'
import { visibleLine } from './visible.ts'
import type { LeftCommand } from '../../../shared/api/app.ts'

/** A trouble for standard error: what happened, what was kept, what to do, one line each, with control characters escaped. */
export function sentences({ what, kept, todo }: Trouble): string {
  return `${[what, kept, todo].map(visibleLine).join('\n')}\n`
}

/** For standard error: reports that a command which outlived a killed Countersign was stopped, because nobody can be asked. */
export function leftWords({ command, folder, since }: Pick<LeftCommand, 'command' | 'folder' | 'since'>): string {
  const [line = ''] = command.split('\n', 1)
  const time = since === null ? '' : ` since ${new Date(since).toISOString()}`
  return `Stopped a command that a killed Countersign had left running in ${visibleLine(folder)}${time}: ${visibleLine(line)}\n`
}
