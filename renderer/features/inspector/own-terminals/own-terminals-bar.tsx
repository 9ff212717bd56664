import { Columns2, Folder, Layers, Pencil, Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import type { OwnTerminal } from '../../../../shared/api/terminals.ts'
import type { SessionId, ToolCallId } from '../../../../shared/lib/ids.ts'
import { isBesideFolder } from '../../../state/commands/layer-actions.ts'
import { openOwnTerminal, showOwnTerminals } from '../../../state/commands/own-terminals.ts'
import { useDesk, useSession } from '../../../state/desk-context.ts'
import { Menu } from '../../../ui/controls/menu.tsx'
import type { MenuEntry } from '../../../ui/controls/menu-items.tsx'
import { Segmented } from '../../../ui/controls/segmented.tsx'
import { PaneHead } from '../../../ui/frame/panes/pane.tsx'

export interface OwnTerminalsBarProps {
  readonly sessionId: SessionId
  readonly own: readonly OwnTerminal[]
  /** The terminals on screen, from top to bottom. If empty, the tab shows the agent's commands. */
  readonly shown: readonly OwnTerminal[]
  /** Number of the agent's commands. */
  readonly commands: number
  readonly onRename: (toolCallId: ToolCallId) => void
}

const AGENT = 'agent'

/** Chooses between the agent's commands and the user's own terminals, and opens new ones. */
export function OwnTerminalsBar({ sessionId, own, shown, commands, onRename }: OwnTerminalsBarProps): ReactNode {
  const desk = useDesk()
  const [first] = shown
  return (
    <PaneHead level="bar">
      <Segmented
        label="Terminals"
        segments={[
          { id: AGENT, label: commands === 0 ? 'Agent' : `Agent ${commands}` },
          ...own.map(({ toolCallId, name }) => ({ id: toolCallId as string, label: name })),
        ]}
        selected={first?.toolCallId ?? AGENT}
        onSelect={(id) =>
          showOwnTerminals(
            desk,
            sessionId,
            own.flatMap(({ toolCallId }) => (toolCallId === id ? [toolCallId] : [])),
          )
        }
      />
      <NewTerminalMenu sessionId={sessionId} shown={first} onRename={onRename} />
    </PaneHead>
  )
}

interface NewTerminalMenuProps extends Pick<OwnTerminalsBarProps, 'sessionId' | 'onRename'> {
  readonly shown: OwnTerminal | undefined
}

function NewTerminalMenu({ sessionId, shown, onRename }: NewTerminalMenuProps): ReactNode {
  const desk = useDesk()
  const isBeside = useSession(sessionId, ({ config }) => isBesideFolder(config), false)
  const inFolder: MenuEntry = {
    kind: 'item',
    id: 'folder',
    label: 'In the folder',
    icon: Folder,
    ...(!isBeside && { keys: 'Mod+Shift+Backquote' }),
    onSelect: () => openOwnTerminal(desk, sessionId, { isInFolder: true }),
  }
  const inLayer: MenuEntry = {
    kind: 'item',
    id: 'layer',
    label: 'In this session’s layer',
    icon: Layers,
    keys: 'Mod+Shift+Backquote',
    onSelect: () => openOwnTerminal(desk, sessionId, { isInFolder: false }),
  }
  const ofShown = (terminal: OwnTerminal): readonly MenuEntry[] => [
    { kind: 'rule', id: 'rule' },
    {
      kind: 'item',
      id: 'split',
      label: 'Split this one',
      icon: Columns2,
      onSelect: () => openOwnTerminal(desk, sessionId, { isInFolder: !terminal.isInLayer, below: terminal.toolCallId }),
    },
    { kind: 'item', id: 'rename', label: 'Rename this one', icon: Pencil, onSelect: () => onRename(terminal.toolCallId) },
  ]
  return (
    <Menu
      label="New terminal"
      align="end"
      trigger={{ variant: 'quiet', small: true, only: true, icon: Plus, label: 'New terminal' }}
      entries={[...(isBeside ? [inLayer] : []), inFolder, ...(shown ? ofShown(shown) : [])]}
    />
  )
}
