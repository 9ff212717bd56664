import type { AgentOffers } from '../../../shared/agents/agent-offers.ts'
import type { RefusedChoice } from '../../agent/ports/foreign-agent.ts'

export interface SettableChoices {
  now(): AgentOffers
  /** Resolves to null if the value is in force now, and otherwise to the reason as a sentence. */
  choose(id: string, value: string): Promise<string | null>
}

export interface WantedChoices {
  /** The agent's modes, preferred one first. Used if the user has chosen no mode. */
  readonly modes: readonly string[]
  /** The values that the user has chosen, by the ids of the agent's choices. */
  readonly chosen: Readonly<Record<string, string>>
}

/**
 * Sets the user's choices and the mode. Call it each time an agent starts, because it may start in any mode, even in a reopened session. If
 * the agent refuses a preferred mode, the next one is tried. The mode is set last, because a change of the model may change it. Returns the
 * values that are not in force at the end.
 */
export async function setChoices(agent: SettableChoices, { modes, chosen }: WantedChoices): Promise<readonly RefusedChoice[]> {
  const mode = agent.now().choices.find(({ category }) => category === 'mode')
  const own = mode === undefined ? undefined : chosen[mode.id]
  const offered = modes.filter((one) => mode?.values.some(({ value }) => value === one))
  const reasons = new Map<readonly [string, string], string | null>()
  const isSet = async (id: string, value: string): Promise<boolean> => {
    const why = await agent.choose(id, value)
    reasons.set([id, value], why)
    return why === null
  }
  for (const [id, value] of Object.entries(chosen)) if (id !== mode?.id) await isSet(id, value)
  if (mode) for (const value of own === undefined ? offered : [own]) if (await isSet(mode.id, value)) break
  return [...reasons].flatMap(([[id, value], why]) => {
    const isInForce = agent.now().choices.some((one) => one.id === id && one.current === value)
    return isInForce ? [] : [refusedChoice(agent, id, value, why ?? 'It changed back to another value.')]
  })
}

export function refusedChoice(agent: Pick<SettableChoices, 'now'>, id: string, value: string, why: string): RefusedChoice {
  const choice = agent.now().choices.find((one) => one.id === id)
  const nameOf = (wanted: string): string => choice?.values.find((one) => one.value === wanted)?.name ?? wanted
  return { name: choice?.name ?? id, wanted: nameOf(value), current: choice ? nameOf(choice.current) : null, why }
}
