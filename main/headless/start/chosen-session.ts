import type { Done, SessionSummary } from '../../../shared/api/sessions.ts'
import { assertNever } from '../../../shared/lib/assert-never.ts'
import { failed, ok, type Result } from '../../../shared/lib/result.ts'
import { folderToBringInto } from '../../../shared/session/settings/where.ts'
import type { SessionConfigured, Trouble } from '../../../shared/session/events.ts'
import type { PersonMessage } from '../../../shared/session/person-message.ts'
import { pendingCalls } from '../../../shared/session/fold/run-state.ts'
import type { Effect } from '../../../shared/session/effects.ts'
import type { CallItem } from '../../../shared/session/state.ts'
import type { PlanDocument } from '../../../shared/workflow/plan-from-markdown.ts'
import { typedAnswer } from '../../../shared/workflow/question.ts'
import { questionsIn } from '../asking/ask-questions.ts'
import type { App } from '../../compose/app.ts'
import { besideWith, missingAgent } from '../../foreign-agents/known-agents.ts'
import { realPathInFolders } from '../../environment/real-folders.ts'
import { checkBaseUrl, providerEntry } from '../../providers/provider-registry.ts'
import { openBringIn } from '../../layers/bring-in-session.ts'
import type { OpenedSession } from '../../sessions/opened-session.ts'
import { noSession } from '../report/standard-output.ts'
import type { RunFlags } from './flags.ts'
import { slashCommandTask } from './slash-command-task.ts'
import { planned, PLANS_ONLY } from './given-plan.ts'

/** The session of a run, and how its work starts. */
export interface Chosen {
  readonly session: OpenedSession
  readonly isNew: boolean
  begin(): Promise<Done>
}

export interface ChoiceParts {
  readonly app: App
  readonly flags: RunFlags
  /** Real path. Sessions of other folders are not opened, because a run trusts only its own folder. */
  readonly cwd: string
  readonly said: PersonMessage
  /** The plan that the message asks to execute. Null if there is none. */
  readonly plan: PlanDocument | null
}

/** A new session, or the stored session given by `--resume`, `--continue` or `--answer`. */
export async function chosenSession(parts: ChoiceParts): Promise<Result<Chosen, Trouble>> {
  const { app, flags, cwd } = parts
  const { session: choice } = flags
  switch (choice.kind) {
    case 'new': {
      const unknown = flags.agent === null ? null : missingAgent(app.parts.dataFolder, flags.agent)
      if (unknown) return failed(unknown)
      const started = await app.starter.start(cwd, newConfig(app, flags))
      return started.ok ? ok({ session: started.value, isNew: true, begin: () => began(parts, started.value) }) : started
    }
    case 'newest':
    case 'id': {
      const found = summaryOf(parts, choice)
      return found.ok ? resumed(parts, found.value) : found
    }
    case 'bring-in':
      return broughtIn(parts, choice.from)
    case 'request':
      return answered(parts, choice)
    default:
      return assertNever(choice, 'session')
  }
}

type Choice = RunFlags['session']

/** The stored session given by `--resume`, or else the newest session of the folder. */
export async function storedSession(parts: Pick<ChoiceParts, 'app' | 'cwd'>, choice: Choice): Promise<Result<OpenedSession, Trouble>> {
  const found = summaryOf(parts, choice)
  return found.ok ? openHere(parts, found.value) : found
}

function summaryOf({ app, cwd }: Pick<ChoiceParts, 'app' | 'cwd'>, choice: Choice): Result<SessionSummary, Trouble> {
  const all = app.store.sessions.list()
  if (choice.kind === 'id') {
    const found = all.find(({ sessionId }) => sessionId === choice.id)
    return found ? ok(found) : failed(noSession(`There is no session ${choice.id}.`))
  }
  const newest = all.find(({ folder, parent }) => folder === cwd && parent === null)
  return newest ? ok(newest) : failed(noSession(`There is no session in ${cwd} to continue.`))
}

/** The configuration of a new session. It includes the address, so that the session uses the same address wherever it is opened. */
export function newConfig({ models }: App, flags: RunFlags): SessionConfigured {
  const config = models.defaults({ mode: flags.mode ?? 'ask', ...given(flags) })
  const address = config.baseUrl ?? models.facts().find((facts) => facts.provider === config.provider)?.baseUrl ?? null
  // An invalid address from the environment may contain a password, so it is not stored. The turn fails with the reason.
  const checked = address === null ? null : checkBaseUrl(config.provider, address)
  const used = checked?.ok ? checked.value : config.baseUrl
  return { ...config, baseUrl: used === providerEntry(config.provider).baseUrl ? null : used }
}

function given({ provider, model, baseUrl, effort, mode, course, beside, agent }: RunFlags): Partial<SessionConfigured> {
  return {
    ...(provider && { provider }),
    ...(model && { model }),
    ...(baseUrl && { baseUrl }),
    ...(effort && { effort }),
    ...(mode && { mode }),
    ...(course && { course }),
    ...(beside && { where: { kind: 'beside' } as const }),
    ...(agent !== null && besideWith(agent)),
  }
}

/** Asks for what a session beside the folder has changed in its layer. With `--approve all`, everything is signed. */
async function broughtIn({ app, flags, cwd }: ChoiceParts, from: string | null): Promise<Result<Chosen, Trouble>> {
  const beside = app.store.sessions.list().filter(({ config, folder }) => folderToBringInto(config, folder) === cwd)
  const found = from === null ? beside[0] : beside.find(({ sessionId }) => sessionId === from)
  if (!found) return failed(noSession(from === null ? `No session works beside ${cwd}.` : `No session ${from} works beside ${cwd}.`))
  const opened = await openBringIn(app, found.sessionId, flags.mode ?? 'ask')
  return opened.ok ? ok({ session: opened.value.session, isNew: false, begin: opened.value.ask }) : opened
}

async function resumed(parts: ChoiceParts, summary: SessionSummary): Promise<Result<Chosen, Trouble>> {
  const opened = await openHere(parts, summary)
  if (!opened.ok) return opened
  const session = opened.value
  const obstacle = session.obstacle()
  if (obstacle) return failed(obstacle)
  const { app, flags, said } = parts
  const change = given(flags)
  // A new provider needs its own default model and address. Effort and mode are kept.
  const { effort, mode } = summary.config
  const config = change.provider && change.provider !== summary.config.provider ? app.models.defaults({ effort, mode, ...change }) : change
  const configured = await session.configure(config)
  if (!configured.ok) return failed(configured.trouble)
  const hasTask = parts.plan !== null || said.text !== '' || (said.pictures?.length ?? 0) > 0
  const goOn = (): Promise<Done> => (session.record.state().run === 'AWAITING_INPUT' ? DONE : session.resume())
  return ok({ session, isNew: false, begin: () => (hasTask ? began(parts, session) : goOn()) })
}

const DONE: Promise<Done> = Promise.resolve({ ok: true })

async function began({ app, said, plan }: ChoiceParts, session: OpenedSession): Promise<Done> {
  const obstacle = session.obstacle()
  if (obstacle) return { ok: false, trouble: obstacle }
  const { cwd, config } = session.record.state()
  if (plan && config.mode === 'plan') return { ok: false, trouble: PLANS_ONLY }
  const expanded = await app.slashCommands.said(cwd, said, config.provider)
  const running = session.running()
  if (!running) throw new Error('This process is not running the session.')
  // A command of the folder overrides a command of the desk.
  const command = expanded.command === undefined ? slashCommandTask(said.text) : null
  if (command?.kind === 'elsewhere') return { ok: false, trouble: command.trouble }
  if (command?.kind === 'compact') return running.compact(command.instructions)
  if (command?.kind === 'request') running.configure(command.change)
  const meant = command ? { ...expanded, text: command.request } : expanded
  return running.submit(plan ? planned(meant, plan, config.course ?? 'plain') : meant)
}

type Request = Extract<RunFlags['session'], { kind: 'request' }>

async function answered(parts: ChoiceParts, request: Request): Promise<Result<Chosen, Trouble>> {
  const { id } = request
  for (const summary of parts.app.store.sessions.list()) {
    const state = summary.run === 'AWAITING_INPUT' ? parts.app.store.ledger.snapshot(summary.sessionId, 1) : null
    const call = state && pendingCalls(state).find(({ approval }) => approval?.approvalId === id)
    if (!call?.approval) continue
    const { approvalId, hash } = call.approval
    const answer = answerIn(request, call.effects)
    if (!answer.ok) return failed(wrongAnswer(id, answer.failure))
    const opened = await openHere(parts, summary)
    if (!opened.ok) return opened
    const begin = async (): Promise<Done> => {
      const outcome = await opened.value.answer({ approvalId, hash, answer: answer.value, from: 'terminal' })
      if (outcome.kind === 'accepted') return { ok: true }
      const obstacle = opened.value.obstacle()
      if (outcome.why === 'not_running_here' && obstacle) return { ok: false, trouble: obstacle }
      const { toolCallId } = call
      const again = pendingCalls(opened.value.record.state()).find((one) => one.toolCallId === toolCallId)?.approval
      if (again && again.approvalId !== approvalId) return { ok: false, trouble: askedAgain(again) }
      return { ok: false, trouble: outcome.why === 'cannot_amend' ? wrongAnswer(id, outcome.message) : wrongRequest(outcome.message) }
    }
    return ok({ session: opened.value, isNew: false, begin })
  }
  return failed(wrongRequest(`No request ${id} is waiting for an answer.`))
}

type Given = Parameters<OpenedSession['answer']>[0]

/** Converts the words after `--answer REQUEST_ID` to an answer. */
function answerIn({ words, note }: Request, effects: readonly Effect[]): Result<Given['answer'], string> {
  const [word] = words
  const questions = questionsIn(effects)
  const plan = effects.find((effect) => effect.kind === 'mode')?.document
  if (plan && note !== null && words.length === 1 && word === 'sign')
    return ok({ kind: 'sign', reply: { kind: 'plan', plan, condition: note, asksOutside: true } })
  if (words.length === 1 && word === 'refuse') return ok({ kind: 'refuse', note })
  if (note !== null) return failed('A note on a signature is a condition, and only a plan can be signed with a condition.')
  if (questions.length === 0) {
    return words.length === 1 && word === 'sign'
      ? ok({ kind: 'sign' })
      : failed('The request waits for a signature: answer with sign or refuse.')
  }
  if (words.length !== questions.length)
    return failed(`The number of answers (${words.length}) differs from the number of questions (${questions.length}).`)
  return ok({ kind: 'sign', reply: { kind: 'answers', answers: questions.map((question, at) => typedAnswer(question, words[at] ?? '')) } })
}

async function openHere(
  { app, cwd }: Pick<ChoiceParts, 'app' | 'cwd'>,
  { sessionId, folder }: SessionSummary,
): Promise<Result<OpenedSession, Trouble>> {
  if (folder === cwd) return app.sessions.open(sessionId)
  const isGone = (await realPathInFolders(folder, [folder])) === null
  return failed(isGone ? goneFolder(sessionId, folder) : otherFolder(sessionId, folder))
}

function wrongRequest(what: string): Trouble {
  return {
    code: 'not_answered',
    what,
    kept: 'Everything is unchanged.',
    todo: 'Use the approvalId of an APPROVAL_REQUESTED event that has not been answered.',
  }
}

/** The request exists, but cannot be answered in this way. `why`: a sentence. */
function wrongAnswer(id: string, why: string): Trouble {
  return {
    code: 'not_answered',
    what: why,
    kept: `Everything is unchanged. Request ${id} is still waiting for an answer.`,
    todo: 'The REQUEST_ID is right. Run the command again with a different answer.',
  }
}

function askedAgain({ approvalId, reason }: NonNullable<CallItem['approval']>): Trouble {
  return {
    code: 'not_answered',
    what: `The answer does not count: the request was replaced by ${approvalId}. ${reason}`,
    kept: 'Nothing was executed, and the new request waits.',
    todo: `Look at what has changed, then answer the new request: --answer ${approvalId} sign`,
  }
}

function goneFolder(sessionId: string, folder: string): Trouble {
  return {
    code: 'folder_missing',
    what: `Session ${sessionId} works in ${folder}, and this folder cannot be found.`,
    kept: 'The session is unchanged.',
    todo: `Restore the folder at this path, for a Git worktree with git worktree add. To read the session: export ${sessionId}`,
  }
}

function otherFolder(sessionId: string, folder: string): Trouble {
  return {
    code: 'other_folder',
    what: `Session ${sessionId} works in ${folder}.`,
    kept: 'The session is unchanged.',
    todo: `Start the run in that folder, which is then trusted for the run: --cwd ${folder}`,
  }
}
