import { useCallback, useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import type { CheckItem } from '../../../../shared/api/bring-in.ts'
import type { SessionId } from '../../../../shared/lib/ids.ts'
import type { CallItem } from '../../../../shared/session/state.ts'
import { amendmentsOf } from '../../../state/stores/review-decisions.ts'
import { useDesk } from '../../../state/desk-context.ts'
import type { Review } from '../review/use-request-review.ts'

export interface Check {
  /** The command that was run last in this folder. Empty if none was. */
  readonly remembered: string
  /** The progress of the running check, or how the last one ended. Null before the first one. */
  readonly item: CheckItem | null
  /** Its command. */
  readonly command: string
  /** Whether the user has changed what would be signed since the check began. */
  readonly isOutdated: boolean
  run(command: string): void
  stop(): void
}

interface Checking {
  readonly item: CheckItem
  readonly command: string
  readonly amendments: string
}

/** The check of what would be signed. */
export function useCheck(sessionId: SessionId, { approval }: CallItem, review: Review | null): Check {
  const desk = useDesk()
  const folder = useStore(desk.list, ({ sessions }) => sessions.get(sessionId)?.folder ?? '')
  const commands = useStore(desk.settings, ({ settings }) => settings?.settings.checkCommands ?? NONE)
  const ended = useStore(desk.checks.store, (all) => (approval && all.get(approval.approvalId)) ?? null)
  const [running, setRunning] = useState<Checking | null>(null)
  const checking = running ?? ended
  const current = useRef<AbortController | null>(null)
  const amendments = review === null ? [] : amendmentsOf(review.pieces, review.decided)
  const now = JSON.stringify(amendments)
  useEffect(() => () => current.current?.abort(), [])
  const stop = useCallback(() => {
    current.current?.abort()
    setRunning(null)
  }, [])
  const run = async (command: string): Promise<void> => {
    const { client } = desk.connection
    if (!client || !approval) return
    current.current?.abort()
    const own = new AbortController()
    current.current = own
    const { approvalId } = approval
    const show = (item: CheckItem): void => {
      if (own.signal.aborted) return
      const shown = { command, amendments: now }
      if (item.kind === 'ended') desk.checks.store.setState((all) => new Map(all).set(approvalId, { ...shown, item }), true)
      setRunning(item.kind === 'ended' ? null : { ...shown, item })
    }
    show({ kind: 'preparing' })
    void client.settings.change({ checkCommands: { ...commands, [folder]: command } }).catch(() => {})
    try {
      const checked = { sessionId, approvalId, amendments, command }
      for await (const item of client.bringIn.check(checked, own.signal)) show(item)
    } catch (error) {
      show({ kind: 'failed', trouble: { ...LOST, what: `The check was lost. ${error instanceof Error ? error.message : String(error)}` } })
    }
  }
  return {
    remembered: commands[folder] ?? '',
    item: checking?.item ?? null,
    command: checking?.command ?? '',
    isOutdated: checking !== null && checking.amendments !== now,
    run: (command) => void run(command),
    stop,
  }
}

const NONE: Readonly<Record<string, string>> = {}
const LOST = { code: 'check_lost', kept: 'The folder, the layer and your decisions are unchanged.', todo: 'Run the check again.' }
