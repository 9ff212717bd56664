import type { ToolCallId } from '../../../shared/lib/ids.ts'
import type { LineAction } from '../../ui/diff/code-diff.tsx'
import type { Desk } from '../desk.ts'
import type { AskedLine } from '../stores/view-store.ts'

/** Opens the full review at a line of a file that this session changed. */
function showLine(desk: Desk, asked: AskedLine): void {
  desk.view.setState({ page: 'review', undo: null, asked })
}

/**
 * What the menu of a changed line leads to. `path`: absolute. `step`: the step that made the version that is shown; null: it is the newest of
 * the session.
 */
export function lineMenuActions(desk: Desk, path: string, step: ToolCallId | null): readonly LineAction[] {
  return [
    { label: 'Who wrote this line', keys: null, run: (line) => showLine(desk, { path, ...line, step, isWhole: false }) },
    { label: 'Show in the whole file', keys: null, run: (line) => showLine(desk, { path, ...line, step, isWhole: true }) },
  ]
}
