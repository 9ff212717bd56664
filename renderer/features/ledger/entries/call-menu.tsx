import type { ReactNode } from 'react'
import type { CallItem } from '../../../../shared/session/state.ts'
import { previewUndo, startRule } from '../../../state/commands/actions.ts'
import { useDesk, useSession, useView } from '../../../state/desk-context.ts'
import { useFileEntries } from '../../../state/hooks/use-file-actions.ts'
import { ruleForCall } from '../../../state/views/rule-for-call.ts'
import type { MenuEntry } from '../../../ui/controls/menu-items.tsx'
import { PointerMenu, type PointerPlace } from '../../../ui/controls/pointer-menu.tsx'
import { useLedgerSession } from '../ledger-session.ts'

interface CallMenuProps {
  readonly call: CallItem
  readonly file: { readonly path: string; readonly line: number | null } | null
  readonly canUndo: boolean
  readonly at: PointerPlace
}

/** The menu of a step at the pointer: its file, its undo, a rule for steps like it. */
export function CallMenu({ call, file, canUndo, at }: CallMenuProps): ReactNode {
  const desk = useDesk()
  const sessionId = useLedgerSession()
  const folder = useSession(sessionId, ({ cwd }) => cwd, '')
  const isCurrent = useView((view) => view.sessionId === sessionId)
  const path = file?.path ?? ''
  const ofFile = useFileEntries({ sessionId, path }, path, file?.line ?? null)
  const rule = ruleForCall(call, folder)
  const command = call.effects.find((effect) => effect.kind === 'command')?.command
  const { step } = call
  const entries: readonly MenuEntry[] = [
    ...(file ? ofFile : []),
    ...(command === undefined ? [] : [item('copy', 'Copy the command', () => void navigator.clipboard.writeText(command))]),
    ...(rule ? [item('rule', 'Make a rule of this step…', () => startRule(desk, rule))] : []),
    ...(canUndo && isCurrent ? [item('undo', `Undo step ${step}…`, () => previewUndo(desk, { kind: 'step', step }))] : []),
  ]
  const none = { ...item('none', 'No actions', () => {}), disabledReason: 'this step changed nothing' }
  return <PointerMenu {...at} label={`Step ${step}`} entries={entries.length > 0 ? entries : [none]} />
}

const item = (id: string, label: string, onSelect: () => void) => ({ kind: 'item', id, label, onSelect }) as const
