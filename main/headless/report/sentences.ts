import type { Trouble } from '../../../shared/session/events.ts'
import { visibleLine } from './visible.ts'
import type { LeftCommand } from '../../../shared/api/app.ts'

/** A trouble for standard error: what happened, what was kept, what to do, a line each; nothing in them drives the terminal. */
export function sentences({ what, kept, todo }: Trouble): string {
  return `${[what, kept, todo].map(visibleLine).join('\n')}\n`
}

/** For standard error: a command that outlived a Countersign that was killed has been ended, since nobody can be asked (issue 3). */
export function leftWords({ command, folder, since }: Pick<LeftCommand, 'command' | 'folder' | 'since'>): string {
  const [line = ''] = command.split('\n', 1)
  const time = since === null ? '' : ` since ${new Date(since).toISOString()}`
  return `Ended a command that a killed Countersign had left running in ${visibleLine(folder)}${time}: ${visibleLine(line)}\n`
}
