import { assertNever } from '../../../shared/lib/assert-never.ts'
import { SessionId } from '../../../shared/lib/ids.ts'
import { type Effect, isLayerWork } from '../../../shared/session/effects.ts'
import { emptySession, foldAll } from '../../../shared/session/fold/fold.ts'
import { pendingCalls } from '../../../shared/session/fold/run-state.ts'
import type { CallItem, SessionState } from '../../../shared/session/state.ts'
import { deleteFileSpec } from '../../../shared/tools/built-in/write-file.ts'
import { answerText, defaultAnswer } from '../../../shared/workflow/question.ts'
import { progressOf } from '../../../shared/workflow/workflow.ts'
import type { Store } from '../../store/store.ts'
import { failWith, noSession, type Write } from './standard-output.ts'
import { visibleLine } from './visible-text.ts'

interface StateParts {
  readonly store: Pick<Store, 'sessions' | 'log'>
  readonly asJson: boolean
  readonly write: Write
}

/** Prints the state of a stored session (`last`: the newest), such as its stage and its plan. Opens nothing and changes nothing. Returns the exit code. */
export function printState(id: string, { store, asJson, write }: StateParts): number {
  const known = SessionId.safeParse(id)
  const newest = id === 'last' ? store.sessions.list().find(({ parent }) => parent === null) : null
  const summary = newest ?? (known.success ? store.sessions.get(known.data) : null)
  if (!summary) return failWith(noSession(`There is no session ${visibleLine(id)}.`))
  const state = foldAll(emptySession(summary.sessionId), store.log(summary.sessionId).read())
  const report = stateReport(state)
  write(asJson ? `${JSON.stringify(report)}\n` : `${linesOf(report).map(visibleLine).join('\n')}\n`)
  return 0
}

/** The state of a session as data, with times in ISO UTC. */
function stateReport(state: SessionState) {
  const { workflow, config } = state
  const plan = workflow?.approved?.plan ?? workflow?.proposed ?? null
  const [pending] = pendingCalls(state)
  return {
    session_id: state.sessionId,
    mode: 'coding',
    approval_mode: config.mode,
    course: config.course ?? 'plain',
    stage: stageOf(state, pending),
    query: workflow?.query ?? '',
    clarified_query: clarified(workflow),
    answers: workflow?.answers ?? [],
    plan,
    condition: workflow?.approved?.condition ?? null,
    progress: workflow?.approved ? progressOf(workflow) : null,
    steps: workflow?.steps ?? [],
    deviations: workflow?.deviations ?? [],
    tests: workflow?.tests ?? null,
    pending_action: pending ? actionOf(pending) : null,
    completed_actions: state.items.flatMap((item) => (item.kind === 'call' && item.endedAt !== null ? completed(item) : [])),
    created_at: new Date(state.startedAt).toISOString(),
    updated_at: new Date(state.updatedAt).toISOString(),
  }
}

type Report = ReturnType<typeof stateReport>

function stageOf({ workflow, run }: SessionState, pending: CallItem | undefined): string {
  if (pending?.effects.some((effect) => effect.kind === 'mode')) return 'awaiting_plan_approval'
  if (pending?.effects.some((effect) => effect.kind === 'question')) return 'awaiting_clarification'
  if (pending?.effects.some((effect) => effect.kind === 'review')) return 'awaiting_review'
  if (pending) return 'awaiting_tool_approval'
  if (workflow === null) return 'idle'
  if (workflow.stage === 'done') return 'completed'
  return workflow.stage === 'executing' && run === 'IDLE' ? 'stopped' : workflow.stage
}

/** The request with the answers to the questions about it. Null if there were no questions. */
function clarified(workflow: SessionState['workflow']): string | null {
  if (!workflow || workflow.answers.length === 0) return null
  return [workflow.query, ...workflow.answers.map(({ question, answer }) => `${question} ${answer}`)].join('\n')
}

function actionOf({ toolName, effects, approval }: CallItem) {
  const command = effects.find((effect) => effect.kind === 'command')?.command ?? null
  const questions = effects.flatMap((effect) => (effect.kind === 'question' ? effect.questions : []))
  return {
    type: command === null ? (effects.map(nameOf).find((name) => name !== null) ?? toolName) : 'run_command',
    tool: toolName,
    command,
    request_id: approval?.approvalId ?? null,
    reason: approval?.reason ?? null,
    targets: effects.flatMap(targetOf),
    ...(questions.length > 0 && { questions: questions.map((one) => ({ ...one, default: answerText(defaultAnswer(one)) })) }),
  }
}

function targetOf(effect: Effect): readonly string[] {
  if ('shown' in effect) return [effect.shown]
  return effect.kind === 'command' ? [effect.command] : []
}

interface Action {
  readonly action: string
  readonly path: string | null
  readonly command: string | null
}

/** One action for each file and each command. A call without either is one action, named after its tool. */
function completed({ toolName, effects, status: outcome }: CallItem) {
  const status = outcome === 'done' ? 'success' : outcome
  const actions = effects.flatMap((effect): readonly Action[] => {
    const action = nameOf(effect) ?? toolName
    if (effect.kind === 'command' && !isLayerWork(effect)) return [{ action, path: null, command: effect.command }]
    return 'shown' in effect ? [{ action, path: effect.shown, command: null }] : []
  })
  const listed = actions.length > 0 ? actions : [{ action: toolName, path: null, command: null }]
  return listed.map((one) => ({ ...one, tool: toolName, status }))
}

/** What the effect does, whichever tool causes it. Null for effects that only the tool's name describes. */
function nameOf(effect: Effect): string | null {
  switch (effect.kind) {
    case 'write':
      return effect.before === null ? 'create_file' : 'modify_file'
    case 'delete':
      return deleteFileSpec.name
    case 'command':
      return isLayerWork(effect) ? null : 'run_command'
    case 'permissions':
      return 'change_permissions'
    case 'link':
    case 'folder':
    case 'read':
    case 'network':
    case 'mode':
    case 'question':
    case 'review':
    case 'unknown':
      return null
    default:
      return assertNever(effect, 'effect')
  }
}

function linesOf({ session_id, stage, course, query, plan, progress, pending_action: pending }: Report): readonly string[] {
  return [
    `Session ${session_id}: ${stage}, course ${course}`,
    `Request: ${query}`,
    ...(plan ? [`Plan: ${plan.title}${progress ? `, ${progress.done} of ${progress.of} steps` : ''}`] : []),
    ...(pending ? [`Waits for: ${pending.type} ${pending.targets.join(', ')} (${pending.request_id ?? ''})`] : []),
  ]
}
