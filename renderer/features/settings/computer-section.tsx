import { type ReactNode, useEffect, useState } from 'react'
import type { Settings } from '../../../shared/api/setting-fields.ts'
import { NotificationsSetting } from './notifications-setting.tsx'
import { SettingLine, SettingSection } from './setting-section.tsx'
import { SECTIONS } from '../../ui/settings-sections.ts'
import type { Changing } from './use-setting-change.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { FoundEditors } from '../../../shared/api/app.ts'
import type { SelectOption } from '../../ui/controls/select/select-option.tsx'
import { Select } from '../../ui/controls/select/select.tsx'
import { useDesk, useSession, useView } from '../../state/desk-context.ts'
import { useSandbox } from '../../state/hooks/use-sandbox.ts'

export interface ComputerSectionProps {
  readonly settings: Settings
  readonly change: Changing['change']
}

/** Notifications, the sandbox and the editor. */
export function ComputerSection({ settings, change }: ComputerSectionProps): ReactNode {
  return (
    <SettingSection section={SECTIONS[4]}>
      <NotificationsSetting chosen={settings.notifications} change={change} />
      <SandboxSetting />
      <EditorSetting chosen={settings.editor} change={change} />
    </SettingSection>
  )
}

/** Whether commands run in a copy first, for the folder of the current session. */
function SandboxSetting(): ReactNode {
  const sessionId = useView((view) => view.sessionId)
  return sessionId && <SandboxOf sessionId={sessionId} />
}

function SandboxOf({ sessionId }: { readonly sessionId: SessionId }): ReactNode {
  const folder = useSession(sessionId, (session) => session.cwd, '')
  const sandbox = useSandbox(folder)
  if (sandbox === null) return null
  if (sandbox.kind === 'present')
    return (
      <SettingLine title="Sandbox" words="On. Commands run in a copy of the folder first, without network, and you sign what they changed.">
        {null}
      </SettingLine>
    )
  const why = sandbox.kind === 'off' ? 'The sandbox was switched off when Countersign was started.' : `${sandbox.reason} ${sandbox.wayOut}`
  return (
    <SettingLine
      title="Sandbox"
      words={`Off. Commands run in the folder itself, so you are asked first, unless the mode allows them. ${why}`}
    >
      {null}
    </SettingLine>
  )
}

interface EditorSettingProps {
  readonly chosen: string
  readonly change: Changing['change']
}

function EditorSetting({ chosen, change }: EditorSettingProps): ReactNode {
  const found = useFoundEditors()
  const { editors = [], visual = null } = found ?? {}
  const options: readonly SelectOption<string>[] = [
    { id: 'automatic', label: 'Automatic', hint: '$VISUAL if it has a window, otherwise the first editor found' },
    ...(visual && !visual.needsTerminal ? [{ id: 'visual', label: `${visual.name}, from $VISUAL` }] : []),
    ...editors.map(({ id, label }) => ({ id, label })),
  ]
  const own = options.some(({ id }) => id === chosen) ? [] : [{ id: chosen, label: found === null ? chosen : `${chosen}, not found` }]
  return (
    <SettingLine title="Editor" words={`Opens the files of a step. ${noteOf(found)}`.trim()}>
      <Select
        variant="field"
        label="Editor"
        selected={chosen}
        options={[...own, ...options]}
        onSelect={(editor) => change({ editor })}
        align="end"
      />
    </SettingLine>
  )
}

function noteOf(found: FoundEditors | null): string {
  if (found === null) return ''
  if (found.visual?.needsTerminal === true) return `${found.visual.name}, from $VISUAL, needs a terminal and is not started without one.`
  return found.editors.length === 0 ? 'No editor with a window of its own was found on this computer.' : ''
}

/** Null while the editors are loading. */
function useFoundEditors(): FoundEditors | null {
  const desk = useDesk()
  const [found, setFound] = useState<FoundEditors | null>(null)
  useEffect(() => {
    let isCurrent = true
    desk.connection.client?.app.editors({}).then(
      (answer) => isCurrent && setFound(answer),
      () => {},
    )
    return () => {
      isCurrent = false
    }
  }, [desk])
  return found
}
