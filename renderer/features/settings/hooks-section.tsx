import { type ReactNode, useState } from 'react'
import type { ListedHook, ListedHooks } from '../../../shared/api/hooks.ts'
import type { HookOutcome } from '../../../shared/session/hooks.ts'
import { listedNames } from '../../../shared/lib/short-count.ts'
import type { Trouble } from '../../../shared/session/events.ts'
import { useCurrentFolder, useDesk } from '../../state/desk-context.ts'
import { useAnswer } from '../../state/use-answer.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Select } from '../../ui/controls/select/select.tsx'
import { clockTime, duration } from '../../ui/format.ts'
import { ScriptChanges } from './script-changes.tsx'
import { ErrorNotice } from '../../ui/notices/error-notice.tsx'
import { VisuallyHidden } from '../../ui/notices/screen-reader.tsx'
import styles from './settings.module.css'
import { SettingSection } from './setting-section.tsx'
import { SECTIONS } from '../../ui/settings-sections.ts'

/** The user's hooks and those of the current session's project. */
export function HooksSection(): ReactNode {
  const { folder, listed, trouble, tryOut, setFree } = useHooks()
  return (
    <SettingSection
      section={SECTIONS.hooks}
      lede={
        <>
          Programs that run at certain moments, in the format of Claude Code, Codex and Gemini. They are read from{' '}
          <code>~/.claude/settings.json</code>, <code>~/.codex/hooks.json</code>, <code>~/.gemini/settings.json</code>,{' '}
          <code>hooks.json</code> in the data folder, and the project’s <code>.claude/settings.json</code>,{' '}
          <code>.claude/settings.local.json</code>, <code>.codex/hooks.json</code>, <code>.gemini/settings.json</code> and{' '}
          <code>.countersign/hooks.json</code>.{' '}
          {listed?.canConfine === true
            ? 'Hooks can write only in the folder, cannot write control files, and have no network, unless you give them full rights.'
            : listed && folder !== '' && 'There is no sandbox here, so hooks run with all your rights.'}
        </>
      }
    >
      {trouble && <ErrorNotice framed happened={trouble.what} kept={trouble.kept} todo={trouble.todo} />}
      {folder === '' && <p className="soft">Open a session to see the hooks of its project.</p>}
      {listed && listed.hooks.length === 0 && folder !== '' && (
        <p className="soft">
          There are no hooks for <code>{folder}</code>.
        </p>
      )}
      {listed && listed.hooks.length > 0 && (
        <HookTable hooks={listed.hooks} canConfine={listed.canConfine} onTry={tryOut} onFree={setFree} />
      )}
      {listed?.unused.map(({ source, why }) => (
        <p key={`${source} ${why}`} className="soft">
          Ignored in <code>{source}</code>: {why}
        </p>
      ))}
    </SettingSection>
  )
}

interface HooksState {
  readonly folder: string
  readonly listed: ListedHooks | null
  readonly trouble: Trouble | null
  readonly tryOut: (hook: ListedHook, moment: string | null) => Promise<void>
  readonly setFree: (hook: ListedHook, isFree: boolean) => Promise<void>
}

function useHooks(): HooksState {
  const desk = useDesk()
  const folder = useCurrentFolder() ?? ''
  const { value: listed, again } = useAnswer(folder, folder === '' ? null : (client) => client.hooks.list({ folder }))
  const [trouble, setTrouble] = useState<Trouble | null>(null)
  const tryOut = async (hook: ListedHook, moment: string | null): Promise<void> => {
    const answer = await desk.connection.client?.hooks.tryOut({ folder, ...nameOf(hook), moment }).catch(() => null)
    setTrouble(answer && !answer.ok ? answer.trouble : null)
    await again()
  }
  const setFree = async (hook: ListedHook, isFree: boolean): Promise<void> => {
    const answer = await desk.connection.client?.hooks.setFree({ folder, ...nameOf(hook), isFree, scripts: hook.scripts }).catch(() => null)
    setTrouble(answer && !answer.ok ? answer.trouble : null)
    await again()
  }
  return { folder, listed, trouble, tryOut, setFree }
}

const nameOf = ({ event, matcher, command, condition }: ListedHook) => ({
  event,
  matcher,
  command,
  ...(condition !== undefined && { condition }),
})

interface HookActions {
  readonly canConfine: boolean
  readonly onTry: HooksState['tryOut']
  readonly onFree: HooksState['setFree']
}

function HookTable({ hooks, ...actions }: HookActions & { readonly hooks: readonly ListedHook[] }): ReactNode {
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th>When</th>
          <th className={styles.command}>Command</th>
          <th>From</th>
          <th>Last run</th>
          <th>
            <VisuallyHidden>Actions</VisuallyHidden>
          </th>
        </tr>
      </thead>
      <tbody>
        {hooks.map((hook) => (
          <HookRow key={JSON.stringify(nameOf(hook))} hook={hook} {...actions} />
        ))}
      </tbody>
    </table>
  )
}

function HookRow({ hook, canConfine, onTry, onFree }: HookActions & { readonly hook: ListedHook }): ReactNode {
  const [isBusy, setBusy] = useState(false)
  const { event, matcher, condition, command, source, last, changed, moments } = hook
  const [chosen, setChosen] = useState<string | null>(null)
  const moment = chosen ?? moments[0]?.id ?? EXAMPLE
  const press = async (): Promise<void> => {
    setBusy(true)
    await onTry(hook, moment === EXAMPLE ? null : moment)
    setBusy(false)
  }
  return (
    <tr className={styles.row}>
      <td>
        {event}
        {matcher !== '' && (
          <>
            {' '}
            <code>{matcher}</code>
          </>
        )}
        {condition !== undefined && (
          <p className="soft">
            if <code>{condition}</code>
          </p>
        )}
      </td>
      <td>
        {hook.prompt ? `“${command}”` : <code>{command}</code>}
        {changed.length > 0 && (
          <p className="strong">
            {listedNames(
              changed.map(({ shown }) => shown),
              3,
            )}{' '}
            changed since you trusted it. It will not run until you review it.
          </p>
        )}
        <ScriptChanges changed={changed} />
        {last && last.says !== '' && changed.length === 0 && <p className="soft">{last.says}</p>}
        {moments.length > 0 && (
          <Select
            className={styles.within}
            label={`Try it on: ${command}`}
            prefix="Try it on"
            options={[...moments, { id: EXAMPLE, label: 'an example' }]}
            selected={moment}
            onSelect={setChosen}
          />
        )}
      </td>
      <td>
        {source}
        {(canConfine || hook.http || hook.prompt) && <p className="soft">{rightsOf(hook)}</p>}
      </td>
      <td>{last ? `${clockTime(last.at)}, ${duration(last.durationMs)}, ${OUTCOMES[last.outcome]}` : 'Not since startup'}</td>
      <td>
        <span className={styles.mixedActions}>
          <Button
            small
            busy={isBusy}
            busyWord="Running"
            label={`Try it: ${command}`}
            tip={moment === EXAMPLE ? 'Runs it on an example' : 'Runs it on the chosen event'}
            onPress={() => void press()}
          >
            Try it
          </Button>
          <RightsButtons hook={hook} canConfine={canConfine} onFree={onFree} />
        </span>
      </td>
    </tr>
  )
}

/** Buttons that change what a hook may do. */
function RightsButtons({ hook, canConfine, onFree }: Omit<HookActions, 'onTry'> & { readonly hook: ListedHook }): ReactNode {
  const { command, isFree, changed } = hook
  const right = (hook.http ? SENDING : RUNNING)[isFree ? 'confine' : 'free']
  return (
    <>
      {changed.length > 0 && (
        <Button
          small
          variant="quiet"
          label={`Allow again: ${command}`}
          tip="It runs again, with its scripts as they are shown here"
          onPress={() => void onFree(hook, isFree)}
        >
          Allow again
        </Button>
      )}
      {(canConfine || isFree || hook.http) && !hook.prompt && (
        <Button small variant="quiet" label={`${right.words}: ${command}`} tip={right.tip} onPress={() => void onFree(hook, !isFree)}>
          {right.words}
        </Button>
      )}
    </>
  )
}

/** The texts of the button that changes what a hook may do. */
const RUNNING = {
  confine: { words: 'Confine', tip: 'It can write only in the folder, and has no network' },
  free: { words: 'Give full rights', tip: 'It runs with all your rights' },
} as const
const SENDING = {
  confine: { words: 'Stop sending', tip: 'Nothing more is sent to this address' },
  free: { words: 'Allow sending', tip: 'What the agent does is sent to this address' },
} as const

function rightsOf({ http, prompt, isFree }: ListedHook): string {
  if (prompt) return `Asks ${prompt.model === undefined ? 'the model of the session' : `the model ${prompt.model}`}, at your cost`
  if (!http) return isFree ? 'Runs with all your rights' : 'Confined to the folder'
  const variables = http.variables ?? []
  const sent = variables.length === 0 ? '' : `, with your ${variables.join(', ')}`
  return isFree ? `Sends events to this address${sent}` : `Sends nothing until you allow it to send events to this address${sent}`
}

const EXAMPLE = 'example'

const OUTCOMES: Readonly<Record<HookOutcome, string>> = {
  passed: 'passed',
  allowed: 'allowed',
  asked: 'asked',
  blocked: 'blocked',
  failed: 'failed',
}
