import type { ClientContext, NewSessionResponse, SessionConfigOption, SessionUpdate } from '@agentclientprotocol/sdk'
import type { AgentChoice, AgentCommand, AgentOffers } from '../../../shared/agents/agent-offers.ts'
import { isObject } from '../../../shared/lib/json.ts'

/** What a running agent offers: modes, models, other options, and commands. */
export interface RunningOffers {
  now(): AgentOffers
  /** Takes an update of the agent into account. Returns whether the offers may have changed. */
  hear(update: SessionUpdate): boolean
  /** Rejects if the agent refuses the value, or reports another one afterwards. */
  choose(agent: ClientContext, id: string, value: string): Promise<void>
}

/** The ids of the choices for modes and for models in the older form. The ids of options come from the agent. */
const MODE = 'mode'
const MODEL = 'model'

export function runningOffers(session: NewSessionResponse): RunningOffers {
  const { sessionId } = session
  let options = session.configOptions ?? []
  let mode = modeChoice(session)
  let model = modelChoice(session)
  let commands: readonly AgentCommand[] = []
  /** The mode that the agent reported after the newest request to change it. Null if it has reported none. */
  let reported: string | null = null
  const inOptions = (category: string): boolean => options.some((option) => option.category === category)
  const choices = (): readonly AgentChoice[] => [
    ...(mode && !inOptions(MODE) ? [mode] : []),
    ...(model && !inOptions(MODEL) ? [model] : []),
    ...options.map(choiceOf),
  ]
  return {
    now: () => ({ choices: choices(), commands }),
    hear(update) {
      switch (update.sessionUpdate) {
        case 'available_commands_update':
          commands = update.availableCommands.map(({ name, description, input }) => ({ name, description, hint: input?.hint ?? '' }))
          return true
        case 'current_mode_update':
          reported = update.currentModeId
          mode = mode && { ...mode, current: reported }
          return true
        case 'config_option_update':
          options = update.configOptions
          return true
        default:
          return false
      }
    },
    async choose(agent, id, value) {
      const option = options.find((one) => one.id === id)
      if (option) {
        const answer = await agent.request('session/set_config_option', {
          sessionId,
          configId: id,
          ...(option.type === 'boolean' ? { type: 'boolean', value: value === ON } : { value }),
        })
        options = answer.configOptions
      } else if (id === MODE) {
        reported = null
        await agent.request('session/set_mode', { sessionId, modeId: value })
        // The response does not say which mode is in force.
        mode = mode && { ...mode, current: reported ?? value }
      } else if (id === MODEL) {
        // The protocol no longer has this request, but older agents accept it.
        await agent.request('session/set_model' as 'session/set_mode', { sessionId, modelId: value } as never)
        model = model && { ...model, current: value }
      }
      const now = choices().find((one) => one.id === id)
      if (!now) throw new Error('The agent no longer offers this choice.')
      if (now.current !== value) throw new Error('The agent accepted the value, but reports another one.')
    },
  }
}

const ON = 'on'

function choiceOf(option: SessionConfigOption): AgentChoice {
  const { id, name, category } = option
  const named = { id, name, category: category ?? 'other' }
  if (option.type === 'boolean')
    return { ...named, current: option.currentValue ? ON : 'off', values: [ON, 'off'].map((value) => ({ value, name: value, about: '' })) }
  const values = option.options.flatMap((one) => ('options' in one ? one.options : [one]))
  return {
    ...named,
    current: option.currentValue,
    values: values.map((one) => ({ value: one.value, name: one.name, about: one.description ?? '' })),
  }
}

function modeChoice({ modes }: NewSessionResponse): AgentChoice | null {
  if (!modes) return null
  const values = modes.availableModes.map(({ id, name, description }) => ({ value: id, name, about: description ?? '' }))
  return { id: MODE, name: 'Mode', category: MODE, current: modes.currentModeId, values }
}

/** The models, as older agents offer them: `models: {currentModelId, availableModels: [{modelId, name, description}]}`. */
function modelChoice(session: NewSessionResponse): AgentChoice | null {
  const models: unknown = Reflect.get(session, 'models')
  if (!isObject(models) || typeof models['currentModelId'] !== 'string' || !Array.isArray(models['availableModels'])) return null
  const values = models['availableModels'].filter(isObject).flatMap(({ modelId, name, description }) => {
    const about = typeof description === 'string' ? description : ''
    return typeof modelId === 'string' ? [{ value: modelId, name: typeof name === 'string' ? name : modelId, about }] : []
  })
  return { id: MODEL, name: 'Model', category: MODEL, current: models['currentModelId'], values }
}
