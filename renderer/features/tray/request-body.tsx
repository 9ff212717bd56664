import type { ReactNode } from 'react'
import type { Effect } from '../../../shared/session/effects.ts'
import type { CallItem } from '../../../shared/session/state.ts'
import { StepDiff } from '../../ui/diff/step-diff.tsx'
import type { StepTexts } from '../../ui/diff/step-texts.ts'
import { counting } from '../../ui/format.ts'
import { CommandParts } from '../../ui/ledger/command-parts.tsx'
import { ExactText } from '../../ui/ledger/exact-text.tsx'
import { type Fact, Facts } from '../../ui/notices/facts.tsx'

export interface RequestBodyProps {
  readonly call: CallItem
  readonly texts: StepTexts
}

/** Exactly what will happen: the whole diff, or the whole command with where it runs and what it may touch. */
export function RequestBody({ call, texts }: RequestBodyProps): ReactNode {
  const commands = call.effects.filter((effect) => effect.kind === 'command')
  const facts = [...call.effects.flatMap(factsOf), ...(call.approval ? [{ term: 'Why it asks', fact: call.approval.reason }] : [])]
  const hasFiles = texts.kind !== 'loaded' || texts.files.length > 0
  return (
    <>
      {commands.map((effect) => (
        <CommandParts key={effect.command} parts={effect.command.split('\n').map((text) => ({ text }))} />
      ))}
      <Facts place="tray" facts={facts} />
      {hasFiles && <StepDiff texts={texts} inTray />}
    </>
  )
}

function factsOf(effect: Effect): readonly Fact[] {
  switch (effect.kind) {
    case 'command':
      return [
        { term: 'Runs in', fact: <ExactPath path={effect.cwd} note={effect.outside ? 'outside the project folder' : null} /> },
        { term: 'Time limit', fact: counting(effect.timeoutMs) },
        ...Object.entries(effect.env).map(([name, value]) => ({ term: `Sets ${name}`, fact: <ExactPath path={value} note={null} /> })),
      ]
    case 'write':
    case 'delete':
      return [
        ...(effect.outside ? [{ term: 'Outside', fact: <ExactPath path={effect.path} note="lies outside the project folder" /> }] : []),
        ...(effect.control ? [{ term: 'Control file', fact: <ExactPath path={effect.shown} note="can make programs run later" /> }] : []),
        ...(effect.kind === 'delete' ? [{ term: 'Deletes', fact: <ExactPath path={effect.shown} note={null} /> }] : []),
      ]
    case 'read':
      return [{ term: 'Reads', fact: <ExactPath path={effect.path} note={effect.outside ? 'outside the project folder' : null} /> }]
    case 'network':
      return [{ term: 'Reaches', fact: <ExactPath path={effect.url} note={null} /> }]
    case 'unknown':
      return [{ term: 'Effects', fact: `Not known beforehand. ${effect.summary}` }]
  }
}

function ExactPath({ path, note }: { readonly path: string; readonly note: string | null }): ReactNode {
  return (
    <>
      <span className="path">
        <ExactText text={path} />
      </span>
      {note !== null && ` ${note}`}
    </>
  )
}
