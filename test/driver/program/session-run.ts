import { resolve } from 'node:path'
import { z } from 'zod'
import { questionsIn } from '../../../main/headless/asking/ask-questions.ts'
import type { Effect } from '../../../shared/session/effects.ts'
import { COURSES } from '../../../shared/workflow/workflow.ts'
import { typedAnswer } from '../../../shared/workflow/question.ts'
import { APPROVAL_MODES } from '../../../shared/session/settings/approval-mode.ts'
import { Effort, ProviderName } from '../../../shared/api/setting-fields.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { SessionEvent, Trouble } from '../../../shared/session/events.ts'
import { SessionConfig } from '../../../shared/session/settings/session-config.ts'
import type { SessionState } from '../../../shared/session/state.ts'
import { type App, createApp } from '../../../main/compose/app.ts'
import { headlessHost } from '../../../main/headless/headless-host.ts'
import { startModelServer } from '../../../main/providers/rehearsal/model-server.ts'
import { answerToNewestMessage } from '../../../main/sessions/answer-to-newest-message.ts'
import type { OpenedSession } from '../../../main/sessions/opened-session.ts'
import { familyRequests, stopSubagents, whoseEvent } from '../../../main/subagents/subagent-requests.ts'
import { temporaryDataFolder } from '../../../main/environment/temporary-folder.ts'
import { VERSION } from '../../../main/version.ts'
import { broughtIn, chooseFor, configOfAgent, defineAgent, foreignAgent } from './foreign-agent.ts'
import { scripted, scriptedAnswer } from './scripted-model.ts'
import { limitTrouble } from '../../../shared/session/limit-trouble.ts'
import { FORMATS } from '../../support/wire-formats/formats.ts'

type WhyEnded = Pick<Trouble, 'code' | 'what'>

const WIRES = { 'openai-responses': 'openai', 'openai-chat': 'openai-compatible' } as const

/**
 * What a user does with one request. `answers`: the answers to its questions, as a user would type them. `condition`: signs a plan
 * under this condition.
 */
const scriptedReply = z.union([
  z.enum(['sign', 'refuse']),
  z.strictObject({ refuse: z.string() }),
  z.strictObject({ answers: z.array(z.string()) }),
  z.strictObject({ condition: z.string().min(1) }),
])

export const sessionRunArguments = z
  .strictObject({
    /** The user's messages. Each is sent when the previous turn has ended. */
    task: z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]).default('Go'),
    script: z.array(scriptedAnswer).optional(),
    /** A third-party agent that works in a layer instead of Countersign's own. It needs neither a script nor a baseUrl. */
    agent: foreignAgent.optional(),
    /** Whether the agent's changes are brought in after the last turn. The requests for that are answered with `answers` too. */
    bringIn: z.boolean().default(false),
    baseUrl: z.string().optional(),
    provider: z
      .union([ProviderName, z.enum(['openai-responses', 'openai-chat'])])
      .transform((name) => (name in WIRES ? WIRES[name as keyof typeof WIRES] : (name as z.infer<typeof ProviderName>)))
      .default('anthropic'),
    model: z.string().optional(),
    mode: z.enum(APPROVAL_MODES).default('ask'),
    course: z.enum(COURSES).optional(),
    answers: z.array(scriptedReply).default([]),
    maxRounds: z.number().int().min(0).optional(),
    maxTokens: z.number().int().min(1).nullable().default(null),
    maxUsd: z.number().positive().nullable().default(null),
    ...SessionConfig.shape,
    reasoningEffort: Effort.optional(),
    /** Path relative to the request's folder. */
    workingDirectory: z.string().min(1).optional(),
    timeoutMs: z.number().int().min(1).max(3_600_000).default(120_000),
  })
  .refine(({ script, baseUrl, agent }) => (script === undefined) !== (baseUrl === undefined) || (agent && baseUrl === undefined), {
    message: 'Give either a script or a baseUrl.',
  })
export type SessionRunArguments = z.infer<typeof sessionRunArguments>

export interface SessionRun {
  readonly sessionId: string
  readonly ended: SessionState['ended']
  /** Why the last turn did not finish. Null if it did. */
  readonly error: WhyEnded | null
  /** The text of the newest answer. */
  readonly text: string
  /** All stored events in order. Events of subagents are wrapped in SUBAGENT_EVENT. */
  readonly events: readonly SessionEvent[]
  /** How many requests the scripted model received. Null if it was not used. */
  readonly requests: number | null
}

/**
 * Runs a session of the real app in a folder, with a scripted model or a given address, and with a temporary data folder. Each request
 * for a signature, including those of subagents, is answered with the next entry of `answers`, and is refused if none is left. Subagents
 * that are still running at the end are stopped. Throws an `Error` with a sentence if the session cannot start.
 */
export async function sessionRun(cwd: string, args: SessionRunArguments, signal: AbortSignal): Promise<SessionRun> {
  let requests = 0
  const folder = resolve(cwd, args.workingDirectory ?? '.')
  const { script } = args
  const server = script && (await startModelServer(({ index }) => scripted(script, (requests = index + 1) - 1), FORMATS))
  const data = await temporaryDataFolder()
  const host = headlessHost()
  const { provider, maxRounds, maxTokens, maxUsd } = args
  if (server) await host.secrets.set(provider, 'scripted-key-0000')
  if (args.agent) await defineAgent(data.path, args.agent, server?.url ?? null)
  const made = await createApp({
    host,
    dataFolder: data.path,
    version: VERSION,
    openFolder: null,
    watched: false,
    whenUnsaved: 'fail',
    trusted: folder,
    // If there are no answers to give, the agent learns that nobody can answer.
    takesQuestions: args.answers.some((given) => typeof given === 'object' && 'answers' in given),
    // A scripted failure ends the run without retries, as the requirements say, unless the run asks for retries.
    session: { retryForMs: 0, ...SessionConfig.parse(args) },
    limits: { maxRounds: maxRounds ?? args.maxToolRoundsPerInput ?? 0 },
    lease: { tokens: maxTokens, costUsd: maxUsd },
  })
  try {
    if (!made.ok) throw new Error(made.failure.what)
    const time = AbortSignal.timeout(args.timeoutMs)
    const run = await ran(made.value, folder, { ...args, baseUrl: server?.url ?? args.baseUrl ?? '', time }, signal)
    return { ...run, requests: server ? requests : null }
  } finally {
    if (made.ok) await made.value.close()
    await server?.close()
    await data.remove()
  }
}

type Asked = SessionRunArguments & { readonly baseUrl: string; readonly time: AbortSignal }

async function ran(app: App, cwd: string, args: Asked, ended: AbortSignal): Promise<Omit<SessionRun, 'requests'>> {
  const { provider, model, mode, baseUrl, course, reasoningEffort: effort = null } = args
  const chosen = { ...(model !== undefined && { model }), ...(course && { course }), ...(args.agent && configOfAgent()) }
  const started = await app.starter.start(cwd, { provider, mode, baseUrl, effort, ...chosen })
  if (!started.ok) throw new Error(`${started.failure.what} ${started.failure.todo}`)
  const session = started.value
  if (args.agent) await chooseFor(app, session, args.agent)
  const running = session.running()
  if (!running) throw new Error('This process is not running the session.')
  const events: SessionEvent[] = [...session.record.read()].map(({ event }) => event)
  const subagents = new Set<SessionId>()
  session.record.subscribe(({ seq, event }) => {
    if (seq !== null || event.kind === 'SUBAGENT_EVENT') events.push(event)
    const { by } = whoseEvent(event, session.sessionId)
    if (by !== session.sessionId) subagents.add(by)
  })
  const done = new AbortController()
  const answers = [...args.answers]
  void answered(app, session, answers, done.signal)
  const signal = AbortSignal.any([ended, args.time])
  const stop = (): void => void session.stop()
  signal.addEventListener('abort', stop, { once: true })
  for (const text of typeof args.task === 'string' ? [args.task] : args.task) {
    if (signal.aborted) break
    const said = running.submit(text)
    if (!said.ok) throw new Error(said.trouble.what)
    await running.idle()
  }
  if (args.bringIn && !signal.aborted) {
    const bringing = await broughtIn(app, session, signal)
    void answered(app, bringing, answers, done.signal)
    bringing.record.subscribe(({ seq, event }) => void (seq !== null && events.push(event)))
    await bringing.running()?.idle()
  }
  await stopSubagents(subagents, app.sessions.open)
  signal.removeEventListener('abort', stop)
  done.abort()
  const state = session.record.state()
  return {
    sessionId: session.sessionId,
    ended: state.ended,
    error: whyEnded(state.ended, events, args.time.aborted && !ended.aborted),
    text: answerToNewestMessage(session.record),
    events,
  }
}

/** Answers the session's requests. Removes each answer that it gives from `answers`. */
async function answered(app: App, session: OpenedSession, answers: SessionRunArguments['answers'], signal: AbortSignal): Promise<void> {
  for await (const { session: asking, call } of familyRequests({ session, open: app.sessions.open, signal })) {
    const { approvalId, hash } = call.approval
    const said = answers.shift()
    const given = said ?? { refuse: 'The run has no answer left for this request.' }
    const from = said === undefined ? 'flag' : 'terminal'
    await asking.answer({ approvalId, hash, answer: answerTo(call.effects, given), from })
  }
}

type Answer = Parameters<OpenedSession['answer']>[0]['answer']

/** An answer that does not match the request refuses it, with the reason. */
function answerTo(effects: readonly Effect[], given: SessionRunArguments['answers'][number]): Answer {
  if (given === 'sign') return { kind: 'sign' }
  if (given === 'refuse') return { kind: 'refuse', note: null }
  if ('refuse' in given) return { kind: 'refuse', note: given.refuse }
  if ('answers' in given) {
    const questions = questionsIn(effects)
    if (questions.length !== given.answers.length)
      return misfit(`The number of answers (${given.answers.length}) differs from the number of questions (${questions.length}).`)
    return {
      kind: 'sign',
      reply: { kind: 'answers', answers: questions.map((question, at) => typedAnswer(question, given.answers[at] ?? '')) },
    }
  }
  const plan = effects.find((effect) => effect.kind === 'mode')?.document
  return plan
    ? { kind: 'sign', reply: { kind: 'plan', plan, condition: given.condition, asksOutside: true } }
    : misfit('A condition was given, but only a plan can be signed with a condition.')
}

const misfit = (why: string): Answer => ({ kind: 'refuse', note: `The run’s answer does not fit the request. ${why}` })

/**
 * Why the last turn did not finish, as a code and a sentence. Null if it finished, or if there was no turn. The code is the turn's error
 * code or the reason of its TURN_LIMIT. `timed_out`: the run exceeded its own time limit. `stopped`: the driver was stopped.
 */
function whyEnded(ended: SessionState['ended'], events: readonly SessionEvent[], isTimeOver: boolean): WhyEnded | null {
  if (ended === null || ended === 'completed') return null
  const last = events.slice(turnStart(events)).findLast((event) => event.kind === 'ERROR' || event.kind === 'TURN_LIMIT')
  if (last?.kind === 'ERROR') return { code: last.error.code, what: last.error.what }
  if (last?.kind === 'TURN_LIMIT') return { code: last.reason, what: limitTrouble(last).what }
  if (isTimeOver) return { code: 'timed_out', what: 'The run exceeded its time limit, and the session was stopped.' }
  return ended === 'stopped' ? { code: 'stopped', what: 'The session was stopped.' } : { code: ended, what: 'The turn did not finish.' }
}

/** The index of the first event after the previous turn. */
function turnStart(events: readonly SessionEvent[]): number {
  const ends = events.flatMap(({ kind }, at) => (kind === 'PROCESSING_END' ? [at] : []))
  return (ends.at(-2) ?? -1) + 1
}
