import type { AgentContext, AvailableCommand, ContentBlock, SessionUpdate, StopReason } from '@agentclientprotocol/sdk'
import { calledCommand } from '../../../shared/session/called-command.ts'
import type { DurableEvent, SessionConfigured, SessionEvent, Trouble } from '../../../shared/session/events.ts'
import { pendingCalls } from '../../../shared/session/fold/run-state.ts'
import type { SessionState } from '../../../shared/session/state.ts'
import { sessionConfigurationChange } from '../../api/session-configuration-change.ts'
import { folderToBringInto } from '../../../shared/session/settings/where.ts'
import type { App } from '../../compose/app.ts'
import { nullOnAbort } from '../../agent/abortable.ts'
import { agentIdOf } from '../../foreign-agents/known-agents.ts'
import { createPictures } from '../../sessions/attached-pictures.ts'
import type { OpenedSession } from '../../sessions/opened-session.ts'
import { type FamilyRequest, familyRequests } from '../../subagents/subagent-requests.ts'
import { mustBeDone, requestError, valueOf } from './acp-failure.ts'
import { createAskEditor } from './ask-editor.ts'
import { bringInForEditor } from './bring-in-for-editor.ts'
import { messageOf } from './prompt-message.ts'
import { configOptions, modesOf } from './session-settings.ts'
import { callIdOf } from './call-updates.ts'
import { type ClientAbilities, createSessionUpdates } from './session-updates.ts'

export interface AcpSessionParts {
  readonly app: App
  readonly opened: OpenedSession
  readonly client: AgentContext
  readonly abilities: ClientAbilities
  /** Aborted when the editor has disconnected. Open requests stay open. */
  readonly gone: AbortSignal
  /** Resolves when the MCP servers of the editor run or have failed. */
  readonly serversReady: Promise<void>
}

/** One session that an editor has open. */
export interface AcpSession {
  readonly sessionId: OpenedSession['sessionId']
  /** Sends a message and waits for the end of the turn. Rejects if the turn failed. */
  prompt(content: readonly ContentBlock[]): Promise<StopReason>
  cancel(): Promise<void>
  configure(change: Partial<SessionConfigured>): Promise<void>
  settings(): Pick<SessionSettings, 'modes' | 'configOptions'>
  /** Sends the history as updates. */
  replay(): Promise<void>
  /** Sends the slash commands. Call this when the editor knows the session. */
  follow(): void
  /** Stops the session's work and closes it in this process. It can be opened again. */
  close(): Promise<void>
  /** Sends nothing more. Call this when the editor has disconnected; the app then closes the session. */
  leave(): void
}

interface SessionSettings {
  readonly modes: ReturnType<typeof modesOf>
  readonly configOptions: ReturnType<typeof configOptions>
}

export function createAcpSession({ app, opened, client, abilities, gone, serversReady }: AcpSessionParts): AcpSession {
  const { sessionId, record } = opened
  const { cwd } = record.state()
  const { blobs } = app.store
  const closing = new AbortController()
  const prompts = createPrompts()
  const parts = { sessionId, cwd, blobs, abilities }
  // Failures are ignored: an editor that has disconnected can load the session again from the log.
  const send = (update: SessionUpdate): Promise<void> => client.notify('session/update', { sessionId, update }).catch(() => {})
  const ending = createEnding()
  const settings = (): SessionSettings => settingsOf(app, record.state().config)
  const live = createSessionUpdates(parts, false)
  const derived = createDerivedUpdates(app, settings)
  const subscription = record.subscribe(({ event }) => {
    ending.hear(event)
    for (const update of live.of(event)) void send(update)
    void derived.of(event, record.state()).then((updates) => updates.forEach((update) => void send(update)))
  })

  const signal = AbortSignal.any([closing.signal, gone])
  const ask = createAskEditor({ app, client, sessionId, cwd, signal, say: (text) => send(said(text)) })
  const askOne = async (request: FamilyRequest): Promise<void> => {
    const answer = await ask(request, callIdOf(sessionId, request.session.sessionId, request.call.toolCallId))
    // Editors answer `cancelled` after they have sent `session/cancel`, which stops the turn by itself.
    if (answer === 'nobody' || (answer === 'ignored' && isOpen(request))) await opened.stop()
  }
  const askAll = async (): Promise<void> => {
    for await (const request of familyRequests({ session: opened, open: app.sessions.open, signal: closing.signal })) void askOne(request)
  }
  void askAll()
  const bringInNow = (cancelled: AbortSignal) => bringInForEditor({ app, from: sessionId, abilities, signal, cancelled, ask, send })
  const isBeside = (): boolean => folderToBringInto(record.state().config, cwd) !== null

  const leave = (): void => {
    closing.abort()
    prompts.cancel()
    subscription.dispose()
  }

  return {
    sessionId,
    leave,
    prompt: prompts.run(async (content, cancelled) => {
      const message = valueOf(messageOf(content, createPictures(blobs)))
      const running = opened.running()
      if (!running) throw requestError(opened.obstacle() ?? NOT_HERE)
      ending.forget()
      const called = calledCommand(message.text)
      if (called?.name === BRING_IN.name && isBeside()) {
        const outcome = await bringInNow(cancelled)
        if (outcome === 'nothing') await send(said('The layer and the folder do not differ, so there is nothing to bring in.'))
        return outcome === 'cancelled' ? 'cancelled' : 'end_turn'
      }
      const { provider } = record.state().config
      const typed = await nullOnAbort(
        serversReady.then(() => app.slashCommands.said(cwd, message, provider)),
        cancelled,
      )
      if (typed === null || cancelled.aborted) return 'cancelled'
      if (typed.command === undefined && called?.name === 'compact') mustBeDone(running.compact(called.args))
      else mustBeDone(running.submit(typed))
      const state = await running.idle()
      const unsaved = record.trouble()
      if (unsaved) throw requestError(unsaved)
      const reason = ending.reason(state)
      if (cancelled.aborted) return 'cancelled'
      // As in the desk, the work of a third-party agent is signed after each of its turns.
      if (reason === 'cancelled' || agentIdOf(state.config) === null) return reason
      // The turn has succeeded, and its work can be signed later.
      const outcome = await bringInNow(cancelled).catch((error: unknown) =>
        send(said(error instanceof Error ? error.message : String(error))),
      )
      return outcome === 'cancelled' ? 'cancelled' : reason
    }),
    async cancel() {
      prompts.cancel()
      mustBeDone(await opened.stop())
    },
    async configure(change) {
      mustBeDone(await opened.configure(valueOf(sessionConfigurationChange(record.state().config, change, app.models.defaults))))
    },
    settings,
    async replay() {
      const past = createSessionUpdates(parts, true)
      for (const { event } of record.read()) for (const update of past.of(event)) await send(update)
    },
    follow() {
      void commandsOf(app, cwd, isBeside()).then((availableCommands) =>
        send({ sessionUpdate: 'available_commands_update', availableCommands }),
      )
    },
    async close() {
      leave()
      await opened.stop()
      await app.sessions.discard(sessionId)
    },
  }
}

const NOT_HERE: Trouble = {
  code: 'runs_elsewhere',
  what: 'The session does not run in this process.',
  kept: 'The session is unchanged.',
  todo: 'Close it where it runs, then send the message again.',
}

function settingsOf(app: App, config: SessionConfigured): SessionSettings {
  const facts = app.models.facts().find(({ provider }) => provider === config.provider)
  return { modes: modesOf(config), configOptions: configOptions(config, facts ?? { provider: config.provider, models: [] }) }
}

const isOpen = ({ session, call }: FamilyRequest): boolean =>
  pendingCalls(session.record.state()).some(({ toolCallId, approval }) => toolCallId === call.toolCallId && !approval?.answer)

/** Running prompts. Each has its own signal, because stopping the session does not cancel what a prompt does before and after the turn. */
function createPrompts() {
  const running = new Set<AbortController>()
  return {
    cancel: (): void => running.forEach((prompt) => prompt.abort()),
    run:
      (prompt: (content: readonly ContentBlock[], cancelled: AbortSignal) => Promise<StopReason>): AcpSession['prompt'] =>
      async (content) => {
        const cancelling = new AbortController()
        running.add(cancelling)
        try {
          return await prompt(content, cancelling.signal)
        } finally {
          running.delete(cancelling)
        }
      },
  }
}

/** Why the newest turn ended, as a stop reason of the protocol. */
function createEnding() {
  let trouble: Trouble | null = null
  let stop: Extract<DurableEvent, { kind: 'ASSISTANT_TURN' }>['stopReason'] = 'stop'
  let limit: Extract<DurableEvent, { kind: 'TURN_LIMIT' }> | null = null
  return {
    forget() {
      trouble = null
      limit = null
      stop = 'stop'
    },
    hear(event: SessionEvent) {
      if (event.kind === 'ERROR') trouble = event.error
      else if (event.kind === 'TURN_LIMIT') limit = event
      else if (event.kind === 'ASSISTANT_TURN') stop = event.stopReason
    },
    /** @throws {RequestError} the failure of the turn */
    reason({ ended }: SessionState): StopReason {
      if (ended === 'stopped' || ended === 'interrupted') return 'cancelled'
      if (stop === 'content_filter') return 'refusal'
      if (limit) return limit.reason === 'max_tool_rounds' || limit.reason === 'max_turns' ? 'max_turn_requests' : 'max_tokens'
      if (ended === 'limit') return 'max_turn_requests'
      if (trouble) throw requestError(trouble)
      return stop === 'length' ? 'max_tokens' : 'end_turn'
    },
  }
}

/** Updates that follow from an event: the title, the tokens and cost, and the options after a change of the configuration. */
function createDerivedUpdates(app: App, settings: () => SessionSettings) {
  const sizes = new Map<string, number | null>()
  let title = ''
  const sizeOf = async ({ provider, model, baseUrl }: SessionConfigured): Promise<number | null> => {
    const key = `${provider}/${model}/${baseUrl}`
    if (!sizes.has(key)) {
      const found = await app.models.plain({ provider, model, baseUrl })
      sizes.set(key, found.ok ? found.value.contextWindow : null)
    }
    return sizes.get(key) ?? null
  }
  return {
    async of(event: SessionEvent, state: SessionState): Promise<readonly SessionUpdate[]> {
      switch (event.kind) {
        case 'USER_INPUT':
        case 'SESSION_RENAMED':
          if (state.title === title) return []
          title = state.title
          return [{ sessionUpdate: 'session_info_update', title, updatedAt: new Date(state.updatedAt).toISOString() }]
        case 'SESSION_CONFIGURED':
          return [{ sessionUpdate: 'config_option_update', configOptions: settings().configOptions }]
        case 'USAGE': {
          const size = await sizeOf(state.config)
          const cost = event.costUsd === null ? null : { amount: state.costUsd ?? event.costUsd, currency: 'USD' }
          return size === null ? [] : [{ sessionUpdate: 'usage_update', used: state.context, size, ...(cost && { cost }) }]
        }
        default:
          return []
      }
    },
  }
}

const BRING_IN = { name: 'bring-in', description: 'Asks you to sign the changes that this session made beside the folder.' }

const said = (text: string): SessionUpdate => ({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } })

/** `isBeside`: whether the session has a layer to bring in. */
async function commandsOf(app: App, cwd: string, isBeside: boolean): Promise<AvailableCommand[]> {
  const { commands } = await app.slashCommands.in(cwd)
  return [
    ...(isBeside ? [BRING_IN] : []),
    { name: 'compact', description: 'Replaces older messages with a summary.', input: { hint: 'what the summary should keep' } },
    ...commands
      .filter(({ forPerson }) => forPerson)
      .map(({ name, description, hint }) => ({ name, description, ...(hint !== '' && { input: { hint } }) })),
  ]
}
