import type { ReactNode } from 'react'
import { useStore } from 'zustand'
import type { Settings } from '../../../shared/api/setting-fields.ts'
import { NotificationsSetting } from './notifications-setting.tsx'
import { SettingLine, SettingSection } from './setting-section.tsx'
import styles from './settings.module.css'
import { SECTIONS } from '../../ui/settings-sections.ts'
import type { Changing } from './use-setting-change.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { FoundEditors, LaunchVariables } from '../../../shared/api/app.ts'
import { assertNever } from '../../../shared/lib/assert-never.ts'
import type { SelectOption } from '../../ui/controls/select/select-option.tsx'
import { SelectSetting } from './select-setting.tsx'
import { ErrorNotice } from '../../ui/notices/error-notice.tsx'
import { useDesk, useSession, useView } from '../../state/desk-context.ts'
import { useAnswer } from '../../state/use-answer.ts'
import { useSandbox } from '../../state/hooks/use-sandbox.ts'

export interface ComputerSectionProps {
  readonly settings: Settings
  readonly change: Changing['change']
}

/** Notifications, the sandbox, the editor and the shell. */
export function ComputerSection({ settings, change }: ComputerSectionProps): ReactNode {
  const troubles = useStore(useDesk().system, (system) => system.troubles)
  return (
    <SettingSection section={SECTIONS.computer}>
      {troubles.map(({ code, what, kept, todo }) => (
        <div key={code} className={styles.trouble}>
          <ErrorNotice framed happened={what} kept={kept} todo={todo} />
        </div>
      ))}
      <NotificationsSetting chosen={settings.notifications} change={change} />
      <SandboxSetting />
      <EditorSetting chosen={settings.editor} change={change} />
      <VariablesOfShell />
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
      <SettingLine
        title="Sandbox"
        words={`On. Commands run in a copy of the folder first, without network, and you sign what they changed.${sandbox.clones === null ? '' : ` A session beside the folder works in a clone of it, which takes time and space. ${sandbox.clones}`}`}
      >
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
  const found = useAnswer(null, (client) => client.app.editors({})).value
  const { editors = [], visual = null } = found ?? {}
  const options: readonly SelectOption<string>[] = [
    { id: 'automatic', label: 'Automatic', hint: '$VISUAL if it has a window, otherwise the first editor found' },
    ...(visual && !visual.needsTerminal ? [{ id: 'visual', label: `${visual.name}, from $VISUAL` }] : []),
    ...editors.map(({ id, label }) => ({ id, label })),
  ]
  const own = options.some(({ id }) => id === chosen) ? [] : [{ id: chosen, label: found === null ? chosen : `${chosen}, not found` }]
  return (
    <SelectSetting
      title="Editor"
      words={`Opens the files of a step. ${noteOf(found)}`.trim()}
      selected={chosen}
      options={[...own, ...options]}
      onSelect={(editor) => change({ editor })}
    />
  )
}

function noteOf(found: FoundEditors | null): string {
  if (found === null) return ''
  if (found.visual?.needsTerminal === true) return `${found.visual.name}, from $VISUAL, needs a terminal and is not started without one.`
  return found.editors.length === 0 ? 'No editor with a window of its own was found on this computer.' : ''
}

/** Where the variables of commands come from, such as PATH. */
function VariablesOfShell(): ReactNode {
  const found = useAnswer(null, (client) => client.app.launchVariables({})).value
  return (
    found && (
      <SettingLine title="Your shell" words={shellWords(found)}>
        {null}
      </SettingLine>
    )
  )
}

function shellWords(found: LaunchVariables): string {
  switch (found.kind) {
    case 'as_started':
      return 'Commands get PATH and the other variables with which Countersign was started.'
    case 'failed':
      return `Countersign was started without a terminal and could not read the variables of ${found.shell}. ${found.why} Programs that only your shell finds may be missing. Mend the start file and start Countersign again, or start it from a terminal.`
    case 'from_shell':
      return `Countersign was started without a terminal, so it asked ${found.shell} once. ${added('Added to PATH', found.folders)} ${added('Other variables', found.names)}`
    default:
      return assertNever(found)
  }
}

const added = (what: string, names: readonly string[]): string => `${what}: ${names.length === 0 ? 'none' : names.join(', ')}.`
