import type { ApprovalMode } from '../../shared/session/settings/approval-mode.ts'
import type { Workspace } from './workspaces.ts'

/**
 * Commands run in copies, except in full mode and in layers. Before other commands, what they may change is looked at. The files of a layer
 * are looked at again when the user has sent a message, and by each call that comes some time after the one before it.
 */
export function prepareCommands({ copies, inside, comparison }: Workspace, mode: ApprovalMode, isFirst: boolean): void {
  if (copies && !inside && mode !== 'full') copies.support().catch(() => {})
  else if (!inside || isFirst) comparison?.prepare()
}
