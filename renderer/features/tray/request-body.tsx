import { treeWords } from '../../ui/calls/call-words.ts'
import { isUnplanned } from '../../../shared/session/fold/outside-plan.ts'
import { isSubagentCall } from '../../../shared/tools/built-in/subagents.ts'
import type { ReactNode } from 'react'
import { type CommandEffect, type Effect, isLayerWork, NO_TIME_LIMIT_MS } from '../../../shared/session/effects.ts'
import type { CallItem } from '../../../shared/session/state.ts'
import { agentOf, broughtFrom, copiedCommand, requestTitle, titleCommand, titleOf } from '../../state/views/request-title.ts'
import { StepDiff } from '../../ui/diff/step-diff.tsx'
import type { StepTexts } from '../../ui/diff/step-texts.ts'
import { span } from '../../ui/format.ts'
import { type CommandPart, CommandParts } from '../../ui/calls/command-parts.tsx'
import { ExactText } from '../../ui/text/exact-text.tsx'
import { type Fact, Facts } from '../../ui/notices/facts.tsx'
import { agentFacts } from './bring-in/agent-facts.tsx'
import { CopyOutcome } from './copy-outcome.tsx'
import { withoutPath } from './request-words.ts'
import { ReviewBody } from './review/review-body.tsx'
import type { Review } from './review/use-request-review.ts'
import styles from './tray.module.css'

/** Number of commands of an agent that the tray lists. The page for its work lists all. */
const FEW_COMMANDS = 3

export interface RequestBodyProps {
  readonly call: CallItem
  readonly texts: StepTexts
  /** The parts that can be decided separately. Null if the request can only be signed as a whole. */
  readonly review: Review | null
  /** Whether the diff is shown above the tray. */
  readonly isBelowDiff?: boolean
  /** Renders a model's text as in the ledger. */
  readonly wordsOf: (text: string) => ReactNode
}

/**
 * Exactly what will happen: the complete diff, or the complete command and its folder. Also says why the request needs approval, for
 * example because a file is outside the folder or is a control file.
 */
export function RequestBody({ call, texts, review, isBelowDiff = false, wordsOf }: RequestBodyProps): ReactNode {
  // The title already shows the complete path of a single file.
  const { path } = requestTitle(call)
  const commands = call.effects.filter((effect) => effect.kind === 'command')
  const plans = call.effects.flatMap((effect) => (effect.kind === 'mode' && effect.plan !== null ? [effect.plan] : []))
  const isCopied = copiedCommand(call) !== null
  // The review shows each change of a command in its copy as its own part.
  const isReviewed = isCopied && review !== null
  const facts = [
    ...call.effects.flatMap((effect) => (isCopied && (isReviewed || effect.kind === 'command') ? copiedFactsOf(effect) : factsOf(effect))),
    ...agentFacts(agentOf(call)?.turns ?? [], FEW_COMMANDS),
    ...whyItAsks(call, path),
  ]
  const hasFiles = texts.kind !== 'loaded' || texts.files.length > 0
  return (
    <>
      {commands
        .filter((effect) => !isLayerWork(effect) && !isInTitle(call, effect))
        .map((effect) => (
          <CommandParts key={effect.command} parts={partsOf(effect)} />
        ))}
      {isCopied && <CopyOutcome call={call} />}
      {plans.map((plan) => (
        <div key={plan} className={styles.plan}>
          {wordsOf(plan)}
        </div>
      ))}
      {facts.length > 0 && <Facts place="tray" facts={facts} />}
      {review && <ReviewBody review={review} titled={path !== null} isBelowDiff={isBelowDiff} />}
      {hasFiles && !review && <StepDiff texts={texts} inTray titled={path !== null} />}
    </>
  )
}

/**
 * The parts into which main could split the command, otherwise the complete command. It is not split into lines, because a here-document
 * has many lines.
 */
function partsOf({ command, parts }: CommandEffect): readonly CommandPart[] {
  if (parts === undefined) return [{ text: command }]
  return parts.map(({ operator, text, note }) => ({ text, note, operator: operator === '' ? undefined : operator }))
}

/** Whether the title already says everything about this command. */
function isInTitle(call: CallItem, effect: CommandEffect): boolean {
  if (requestTitle(call).path !== null || effect !== call.effects.find(({ kind }) => kind === 'command')) return false
  return titleCommand(call)?.isWhole === true && partsOf(effect).every(({ operator, note }) => operator === undefined && note === undefined)
}

const isUsual = (effect: Effect): boolean => !('control' in effect && effect.control) && !isUnplanned(effect)

/**
 * Why the request needs approval. Empty for plain edits and deletions, because the reason would only repeat what is shown. An edit outside
 * the folder or of a control file is not plain.
 */
function whyItAsks({ approval, effects }: CallItem, path: string | null): readonly Fact[] {
  if (approval && copiedCommand({ effects }) !== null && effects.every(isUsual)) return []
  const isPlainEdit =
    effects.length > 0 &&
    effects.every((effect) => (effect.kind === 'write' || effect.kind === 'delete') && !effect.outside && isUsual(effect))
  if (!approval || (isPlainEdit && !approval.destructive)) return []
  return [{ term: 'Why it asks', fact: path === null ? approval.reason : withoutPath(approval.reason, path) }]
}

const WAYS: Readonly<Record<NonNullable<CommandEffect['way']>, string>> = {
  shell: 'A line in the session’s bash, with its variables and functions',
  background: 'A background command that can outlast this turn',
}

const PLACES: Readonly<Record<NonNullable<CommandEffect['sandbox']> | 'open', string>> = {
  open: ', for real',
  confined: ', for real, and can write nowhere else',
  copy: ', in a copy',
  layer: ', in the layer over the folder, and can write nowhere else',
}

/** The environment variables that were set for a command that has already run in its copy. */
function copiedFactsOf(effect: Effect): readonly Fact[] {
  if (effect.kind !== 'command') return []
  return Object.entries(effect.env).map(([name, value]) => ({ term: `Sets ${name}`, fact: <ExactPath path={value} /> }))
}

function factsOf(effect: Effect): readonly Fact[] {
  switch (effect.kind) {
    case 'command':
      return [
        {
          term: 'Runs in',
          fact: (
            <>
              <ExactPath path={effect.cwd} />
              {PLACES[effect.sandbox ?? 'open']}
            </>
          ),
        },
        ...(effect.way === undefined ? [] : [{ term: 'Runs as', fact: WAYS[effect.way] }]),
        { term: 'Time limit', fact: effect.timeoutMs >= NO_TIME_LIMIT_MS ? 'None: it runs until it is stopped' : span(effect.timeoutMs) },
        ...Object.entries(effect.env).map(([name, value]) => ({ term: `Sets ${name}`, fact: <ExactPath path={value} /> })),
        {
          term: 'Network',
          fact:
            effect.sandbox === 'confined'
              ? 'Only hosts that your rules allow.'
              : effect.sandbox === 'layer'
                ? 'Only hosts that you allow when it asks for them.'
                : 'Open. Your rules about hosts do not apply to what it reaches.',
        },
        ...(effect.noCopy === undefined ? [] : [{ term: 'In a copy', fact: `Not possible. ${effect.noCopy}` }]),
      ]
    case 'write':
    case 'delete':
      return [...(effect.outside && effect.path !== effect.shown ? [{ term: 'Whole path', fact: <ExactPath path={effect.path} /> }] : [])]
    case 'permissions':
      return [
        {
          term: 'Permissions',
          fact: (
            <>
              {effect.shown}: {effect.before.toString(8)} → {effect.after.toString(8)}
            </>
          ),
        },
      ]
    case 'link':
      return [{ term: 'Link', fact: effect.after === null ? `${effect.shown} is deleted` : `${effect.shown} → ${effect.after}` }]
    case 'folder':
      return [
        {
          term: 'Folder',
          fact: `${effect.shown} is ${effect.change}${effect.tree ? ` with ${treeWords(effect.tree)}; git ignores it` : ''}`,
        },
      ]
    case 'read':
      return [{ term: 'Reads', fact: <ExactPath path={effect.path} /> }]
    case 'network':
      return [{ term: 'Reaches', fact: <ExactPath path={effect.url} /> }]
    case 'mode':
      return [{ term: 'Switches to', fact: `${effect.to} mode` }]
    case 'question':
      return []
    case 'review':
      return effect.steps.map(({ title }) => ({ term: 'Finished', fact: title }))
    case 'unknown':
      if (effect.tool)
        return [
          { term: 'Tool', fact: <ExactPath path={effect.tool.name} /> },
          { term: 'Arguments', fact: <ExactPath path={effect.tool.arguments} /> },
        ]
      return [{ term: 'Effects', fact: `Not known in advance. ${effect.summary}` }]
  }
}

function ExactPath({ path }: { readonly path: string }): ReactNode {
  return (
    <span className="path">
      <ExactText text={path} />
    </span>
  )
}

/** The title of a request. The path of a file is shown in full, because it is part of what is signed. */
export function RequestTitle({ call }: { readonly call: CallItem }): ReactNode {
  const { verb, path } = requestTitle(call)
  const copied = copiedCommand(call)
  const command = titleCommand(call)?.line ?? ''
  if (copied !== null && broughtFrom(call) === null && !isSubagentCall(call))
    return (
      <>
        Sign what{' '}
        <span className={styles.path}>
          <ExactText text={copied} />
        </span>{' '}
        changed
      </>
    )
  if (path === null) {
    if (command === '' || titleOf(call) !== `Run ${command}`) return titleOf(call)
    return (
      <>
        Run{' '}
        <span className={styles.path}>
          <ExactText text={command} />
        </span>
      </>
    )
  }
  return (
    <>
      {verb}{' '}
      <span className={styles.path}>
        <ExactText text={path} />
      </span>
    </>
  )
}
