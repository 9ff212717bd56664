import { type ReactNode, useState } from 'react'
import { useStore } from 'zustand'
import { ownPlaceOf } from '../../../shared/session/settings/where.ts'
import type { CallItem } from '../../../shared/session/state.ts'
import { countTouched } from '../../../shared/session/touched-files.ts'
import { useDesk } from '../../state/desk-context.ts'
import { agentOf } from '../../state/views/request-title.ts'
import { exitTone } from '../../ui/calls/command-words.ts'
import { excerptStart } from '../../../shared/lib/lines/first-failure.ts'
import { Button } from '../../ui/controls/button.tsx'
import { counted, duration } from '../../ui/format.ts'
import { foreign } from '../../ui/text/exact-text.tsx'
import styles from './tray.module.css'

/** How many output lines are shown until the user opens the whole output. */
const FEW_LINES = 2

/**
 * The result of a command in its copy: one row of facts, the end of the output or its first failure, and sentences about blocked hosts, a
 * failure that the copy caused, and changes that are never applied.
 */
export function CopyOutcome({ call }: { readonly call: CallItem }): ReactNode {
  const [isWhole, setWhole] = useState(false)
  const source = call.effects.find((effect) => effect.kind === 'command')?.broughtFrom?.sessionId
  const place = useStore(useDesk().list, ({ sessions }) => ownPlaceOf(source && sessions.get(source)?.config))
  const outcome = call.copy?.outcome
  if (!outcome) return null
  const [first] = call.effects
  const isSubagent = first?.kind === 'command' && first.subagent !== undefined
  const isBroughtIn = source !== undefined
  const agent = agentOf(call)
  const { exitCode, durationMs, tail, blocked, reached = [], leftOut, unfit, notes = [] } = outcome
  const files = counted(countTouched(call.effects), 'file')
  if (isSubagent || isBroughtIn)
    return (
      <div className={styles.copy}>
        <p className={styles.copyFacts}>
          {!isBroughtIn && 'Written in the subagent’s own copy · '}
          {files}
          {agent !== null && ` · refused changes are removed from the layer, and ${agent.name} will learn about it`}
          {isBroughtIn && agent === null && ` · what you refuse stays in the ${place}`}
        </p>
        {notes.length > 0 && <p className={styles.copyLeft}>{foreign(notes.join(' '))}</p>}
      </div>
    )
  const lines = tail.trimEnd() === '' ? [] : tail.trimEnd().split('\n')
  const from = excerptStart(lines, FEW_LINES, exitCode !== 0)
  const shown = isWhole ? lines : lines.slice(from, from + FEW_LINES)
  const left = [
    ...(blocked.length > 0 ? [`The command asked for ${blocked.join(', ')}, but the network access was blocked.`] : []),
    ...(unfit === undefined ? [] : [`It failed because it ran in a copy: ${unfit}`]),
    ...(leftOut.length > 0 ? [`Never applied: ${leftOut.join(', ')}.`] : []),
    ...notes,
  ]
  return (
    <div className={styles.copy}>
      <p className={styles.copyFacts}>
        <span className={exitTone(exitCode)}>{exitCode === null ? 'ended by a signal' : `exit ${exitCode}`}</span>
        {` · ${duration(durationMs)} · ${reached.length === 0 ? 'no network' : `reached ${reached.join(', ')}`} · ${files}`}
        {lines.length > FEW_LINES && (
          <Button className="push" small variant="quiet" expanded={isWhole} onPress={() => setWhole(!isWhole)}>
            {isWhole ? 'Show less' : counted(lines.length - FEW_LINES, from === 0 ? 'more line' : 'other line')}
          </Button>
        )}
      </p>
      {lines.length > 0 && <pre className={styles.copyOutput}>{foreign(shown.join('\n'))}</pre>}
      {left.length > 0 && <p className={styles.copyLeft}>{foreign(left.join(' '))}</p>}
    </div>
  )
}
