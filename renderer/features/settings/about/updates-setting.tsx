import { type ReactNode, useState } from 'react'
import { useStore } from 'zustand'
import type { AppClient } from '../../../../shared/api/contract.ts'
import type { Settings } from '../../../../shared/api/setting-fields.ts'
import type { UpdateState } from '../../../../shared/api/updates.ts'
import { assertNever } from '../../../../shared/lib/assert-never.ts'
import { useDesk } from '../../../state/desk-context.ts'
import { Button } from '../../../ui/controls/button.tsx'
import type { SelectOption } from '../../../ui/controls/select/select-option.tsx'
import { clockTime } from '../../../ui/format.ts'
import { ErrorNotice } from '../../../ui/notices/error-notice.tsx'
import { SelectSetting } from '../select-setting.tsx'
import { SettingLine } from '../setting-section.tsx'
import type { Changing } from '../use-setting-change.ts'

export interface UpdatesSettingProps {
  readonly wanted: Settings['updates']
  readonly change: Changing['change']
}

const OPTIONS: readonly SelectOption<Settings['updates']>[] = [
  { id: 'install', label: 'Install', hint: 'Downloaded in the background, installed when Countersign quits' },
  { id: 'tell', label: 'Tell me', hint: 'Nothing is downloaded until you ask' },
  { id: 'off', label: 'Off', hint: 'Countersign does not check for new versions' },
]

/** Chooses what happens with new versions of the desktop app, and shows the state of the update. */
export function UpdatesSetting({ wanted, change }: UpdatesSettingProps): ReactNode {
  const state = useStore(useDesk().updates, (updates) => updates.state)
  if (state === null) return null
  if (state.kind === 'unavailable')
    return (
      <SettingLine title="New versions" words={state.why}>
        {null}
      </SettingLine>
    )
  return (
    <>
      <SelectSetting
        title="New versions"
        words="A new version never ends running work: it is installed when Countersign has quit."
        selected={wanted}
        options={OPTIONS}
        onSelect={(updates) => change({ updates })}
      />
      <KnownVersion state={state} />
    </>
  )
}

function KnownVersion({ state }: { readonly state: Exclude<UpdateState, { readonly kind: 'unavailable' }> }): ReactNode {
  switch (state.kind) {
    case 'up_to_date': {
      const words =
        state.checkedAt === null
          ? 'Not checked since Countersign started.'
          : `Checked at ${clockTime(state.checkedAt)}: this is the newest version.`
      return (
        <SettingLine title="This version" words={words}>
          <Act words="Check for updates" busyWord="Checking" act={(client) => client.updates.look({})} />
        </SettingLine>
      )
    }
    case 'looking':
      return (
        <SettingLine title="This version" words="Checking for a new version…">
          {null}
        </SettingLine>
      )
    case 'found':
      return (
        <SettingLine title={`Version ${state.version}`} words={state.by === 'package' ? BY_PACKAGE : 'It can be downloaded.'}>
          {state.by === 'download' && <Act words="Download" busyWord="Downloading" act={(client) => client.updates.download({})} />}
        </SettingLine>
      )
    case 'downloading':
      return (
        <SettingLine title={`Version ${state.version}`} words={`Downloading, ${state.percent} %`}>
          {null}
        </SettingLine>
      )
    case 'ready':
      return (
        <SettingLine title={`Version ${state.version}`} words="It is ready, and is installed when Countersign quits.">
          <Act words="Restart now" act={(client) => client.updates.restart({})} />
        </SettingLine>
      )
    case 'failed':
      return (
        <>
          <ErrorNotice framed happened={state.trouble.what} kept={state.trouble.kept} todo={state.trouble.todo} />
          <SettingLine title="This version" words="It keeps working.">
            <Act words="Check for updates" busyWord="Checking" act={(client) => client.updates.look({})} />
          </SettingLine>
        </>
      )
    default:
      return assertNever(state)
  }
}

const BY_PACKAGE = 'Install the new package with the package manager of this computer, as you installed this one.'

interface ActProps {
  readonly words: string
  readonly busyWord?: string
  readonly act: (client: AppClient) => Promise<unknown>
}

function Act({ words, busyWord, act }: ActProps): ReactNode {
  const desk = useDesk()
  const [isBusy, setBusy] = useState(false)
  const press = async (): Promise<void> => {
    setBusy(true)
    // What went wrong is in the state, and after `restart` the connection ends.
    const { client } = desk.connection
    if (client) await act(client).catch(() => {})
    setBusy(false)
  }
  return (
    <Button small busy={isBusy} busyWord={busyWord} onPress={() => void press()}>
      {words}
    </Button>
  )
}
