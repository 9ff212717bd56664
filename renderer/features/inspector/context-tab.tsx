import type { ReactNode } from 'react'
import type { ContextPartName } from '../../../shared/api/sessions.ts'
import type { ModelFacts } from '../../../shared/api/settings.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { shortCount } from '../../../shared/lib/short-count.ts'
import { NO_USAGE } from '../../../shared/session/content.ts'
import { type CompactionReceipt, SUMMARY } from '../../../shared/session/conversation-move.ts'
import { compactSession, undoCompaction } from '../../state/commands/actions.ts'
import { report } from '../../state/commands/attempt-request.ts'
import { assumedCacheWords, compactsAt, priceOfNext, undoneWords, WARNS_AT } from '../../state/views/context-and-price.ts'
import { useDesk, useOfflineReason, useSession } from '../../state/desk-context.ts'
import { useContextParts, useModelFacts } from '../../state/hooks/use-model-facts.ts'
import { Button } from '../../ui/controls/button.tsx'
import { counted, money, percent } from '../../ui/format.ts'
import { PaneHead, PaneScroll } from '../../ui/frame/panes/pane.tsx'
import { Gauge } from '../../ui/marks/gauge.tsx'
import { EmptyState } from '../../ui/notices/empty-state.tsx'
import { type Fact, Facts } from '../../ui/notices/facts.tsx'
import styles from './inspector.module.css'

const NONE: readonly CompactionReceipt[] = []

/** The context window: how full it is and with what, the price of the next request, and the compactions. */
export function ContextTab({ sessionId }: { readonly sessionId: SessionId }): ReactNode {
  const used = useSession(sessionId, (session) => session.context, 0)
  const compactions = useSession(sessionId, (session) => session.compactions, NONE)
  const compacted = useSession(sessionId, compactsAt, 1)
  const facts = useModelFacts(sessionId)
  if (used === 0) {
    return (
      <EmptyState>Nothing has been sent yet. After the first answer, this shows how much of the model’s context window is used.</EmptyState>
    )
  }
  const window = facts?.contextWindow ?? null
  return (
    <>
      <PaneHead
        level="bar"
        title={window === null ? `${shortCount(used)} tokens` : `${shortCount(used)} of ${shortCount(window)} tokens`}
        aside={window === null ? 'context window not known' : percent(used / window)}
        end={window !== null && <Gauge label="Context" ratio={used / window} ticks={[WARNS_AT, compacted]} />}
      />
      <PaneScroll label="Context">
        <div className={styles.context}>
          <Facts facts={[...windowFacts(used, window, compacted), priceFact(used, facts)]} />
          <CompactNow sessionId={sessionId} />
          <Parts sessionId={sessionId} used={used} />
          <Spent sessionId={sessionId} />
          <Compactions sessionId={sessionId} compactions={compactions} window={window} />
        </div>
      </PaneScroll>
    </>
  )
}

function CompactNow({ sessionId }: { readonly sessionId: SessionId }): ReactNode {
  const desk = useDesk()
  const offline = useOfflineReason()
  const waits = useSession(sessionId, ({ live }) => live?.waitingFor?.what === SUMMARY, false)
  return (
    <div>
      <Button
        small
        tip="Replaces the older messages with a summary for the model. After /compact, you can write what the summary should keep."
        disabledReason={offline ?? (waits ? 'The summary is being written.' : null)}
        onPress={() => void report(desk, compactSession(desk, sessionId))}
      >
        Compact now
      </Button>
    </div>
  )
}

function windowFacts(used: number, window: number | null, compacted: number): readonly Fact[] {
  if (window === null) return []
  const room = Math.round(window * compacted) - used
  const words =
    room > 0
      ? `At ${percent(compacted)}, after about ${shortCount(room)} more tokens. You can undo it, and the ledger keeps everything.`
      : 'Before the next request. You can undo it, and the ledger keeps everything.'
  return [{ term: 'Compacted', fact: words }]
}

function priceFact(used: number, facts: ModelFacts | null): Fact {
  const next = priceOfNext(used, facts)
  const words =
    next === null
      ? 'No price is known for this model.'
      : money(next.least) === money(next.most)
        ? `${money(next.most)}. The answer costs extra.`
        : `${money(next.least)} if the service has all of it cached, ${money(next.most)} if it has nothing cached. The answer costs extra.`
  return { term: 'Next request', fact: `${words}${assumedCacheWords(facts)}` }
}

const PARTS: Readonly<Record<ContextPartName, string>> = {
  prompt: 'Prompt',
  documents: 'Project instructions and memory',
  tools: 'Tools',
  summary: 'Summary of compacted messages',
  said: 'Your messages',
  answers: 'Answers and reasoning',
  files: 'Files read and searched',
  results: 'Results of other steps',
}

/** The parts of the context, scaled so that their sum is the token count that the service reported. */
function Parts({ sessionId, used }: { readonly sessionId: SessionId; readonly used: number }): ReactNode {
  const parts = useContextParts(sessionId)
  const sum = parts.reduce((tokens, part) => tokens + part.tokens, 0)
  if (sum === 0) return null
  return (
    <section>
      <h3 className={styles.label}>In the context window, estimated by length</h3>
      <dl className={styles.figures}>
        {parts.map(({ part, tokens }) => (
          <div key={part}>
            <dt>{PARTS[part]}</dt>
            <dd>
              {shortCount((tokens * used) / sum, { fixed: true })} tokens, {percent(tokens / sum)}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

/** What the session has spent so far, without its subagents. */
function Spent({ sessionId }: { readonly sessionId: SessionId }): ReactNode {
  const usage = useSession(sessionId, (session) => session.usage, NO_USAGE)
  const cost = useSession(sessionId, (session) => session.costUsd, null)
  const facts = useModelFacts(sessionId)
  const isAssumed = usage.cacheRead + usage.cacheWrite > 0 && facts?.price?.assumedCache === true
  const counts = [
    [usage.input, 'Input, not cached'],
    [usage.cacheRead, 'Read from the cache'],
    [usage.cacheWrite, 'Written to the cache'],
    [usage.output, 'Output'],
  ] as const
  const figures = [
    ...counts.flatMap(([count, words]) => (count > 0 ? [[words, `${shortCount(count, { fixed: true })} tokens`] as const] : [])),
    ['Cost', cost === null ? 'not known' : `${money(cost)}${isAssumed ? ', cache prices assumed' : ''}`] as const,
  ]
  return (
    <section>
      <h3 className={styles.label}>So far</h3>
      <dl className={styles.figures}>
        {figures.map(([words, figure]) => (
          <div key={words}>
            <dt>{words}</dt>
            <dd>{figure}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

interface CompactionsProps {
  readonly sessionId: SessionId
  readonly compactions: readonly CompactionReceipt[]
  /** Size of the context window in tokens. Null if it is not known. */
  readonly window: number | null
}

function Compactions({ sessionId, compactions, window }: CompactionsProps): ReactNode {
  const desk = useDesk()
  const offline = useOfflineReason()
  const isBusy = useSession(sessionId, ({ run }) => run === 'PROCESSING' || run === 'AWAITING_INPUT', false)
  if (compactions.length === 0) return null
  return (
    <section>
      <h3 className={styles.label}>
        {compactions.length === 1 ? 'One active compaction' : `${compactions.length} active compactions, newest first`}
      </h3>
      {compactions.toReversed().map((receipt, index) => (
        <div key={compactions.length - index} className={styles.compaction}>
          <Facts facts={receiptFacts(receipt)} />
          {index === 0 && (
            <>
              <Button
                small
                disabledReason={offline ?? (isBusy ? 'Not while a turn runs.' : null)}
                onPress={() => undoCompaction(desk, sessionId)}
              >
                Undo
              </Button>
              <p className={`soft ${styles.undone}`}>{undoneWords(receipt, window)}</p>
            </>
          )}
        </div>
      ))}
    </section>
  )
}

const REASONS: Readonly<Record<CompactionReceipt['why'], string>> = {
  threshold: '',
  overflow: ', because the service rejected it as too long',
  manual: ', because you asked for it',
}

function receiptFacts({ why, dropped, pinned, tokensBefore, tokensAfter }: CompactionReceipt): readonly Fact[] {
  const reason = REASONS[why]
  return [
    { term: 'Happened', fact: `${shortCount(tokensBefore)} tokens became about ${shortCount(tokensAfter)}${reason}.` },
    {
      term: 'Kept',
      fact:
        pinned === 0
          ? 'The newest messages, word for word.'
          : `The newest messages and ${counted(pinned, 'older one')} of yours, word for word.`,
    },
    {
      term: 'Dropped',
      fact: `${counted(dropped, 'older message')}, replaced by a summary. The ledger still shows them.`,
    },
  ]
}
