import type { LocalServer, ProviderFacts } from '../../shared/api/settings.ts'
import { shortCount } from '../../shared/lib/short-count.ts'
import type { SessionConfigured } from '../../shared/session/events.ts'
import type { SelectOption } from './controls/select/select-option.tsx'
import { money, placeOf } from './format.ts'

type Asked = Pick<SessionConfigured, 'provider' | 'model' | 'baseUrl'>

interface ModelOption extends SelectOption<string> {
  /** The configuration that this option sets. */
  readonly asks: Asked
}

/**
 * The models that a session can switch to: models of servers on this computer, then of the session's provider, then of other providers
 * that have a key. The current model is always included.
 */
export function modelOptions(
  config: Asked,
  providers: readonly ProviderFacts[],
  servers: readonly LocalServer[],
): { readonly options: readonly ModelOption[]; readonly selected: string | null } {
  const isOwn = ({ provider }: ProviderFacts): boolean => provider === config.provider
  const others = providers.filter((facts) => !isOwn(facts) && facts.available && facts.key === 'set')
  const listed = [...providers.filter(isOwn), ...others].flatMap((facts) => optionsOf(facts, isOwn(facts) ? config.baseUrl : null))
  const local = servers.flatMap(optionsOfServer)
  const address = config.baseUrl ?? providers.find(isOwn)?.baseUrl ?? null
  const asksNow = ({ asks }: ModelOption): boolean =>
    asks.provider === config.provider && asks.model === config.model && (asks.baseUrl ?? address) === address
  const all = [...local, ...listed]
  const current = all.find(asksNow)
  if (current || config.model === '') return { options: all, selected: current?.id ?? null }
  const provided = providers.find(isOwn)
  const group = provided && groupOf(provided)
  const own: ModelOption = { id: idOf(config), label: config.model, asks: config, ...(group !== undefined && { group }) }
  return { options: [own, ...all], selected: own.id }
}

/** Number of options from which on those chosen recently come first. */
const LONG_LIST = 8
const MAX_RECENT = 3

/** Puts the models that the user chose recently before all others of a long list. `recent`: ids of options, newest first. */
export function recentFirst(options: readonly ModelOption[], recent: readonly string[]): readonly ModelOption[] {
  if (options.length < LONG_LIST) return options
  const first = recent.flatMap((id) => options.find((option) => option.id === id) ?? []).slice(0, MAX_RECENT)
  const group = first.some(({ aside }) => aside !== undefined) ? `Recent${PRICE_UNIT}` : 'Recent'
  return [...first.map((option) => ({ ...option, group })), ...options.filter((option) => !first.includes(option))]
}

const PRICE_UNIT = ', $ per million tokens in / out'

/** Name of the provider with the unit of its prices. */
function groupOf({ label, models }: ProviderFacts): string {
  return models.some(({ price }) => price !== null) ? `${label}${PRICE_UNIT}` : label
}

function optionsOf(provided: ProviderFacts, baseUrl: string | null): readonly ModelOption[] {
  const { provider, models } = provided
  const group = groupOf(provided)
  return models.map(({ model, label, contextWindow, price }) => {
    const asks: Asked = { provider, model, baseUrl }
    const size = contextWindow === null ? '' : `${shortCount(contextWindow)} tokens of context`
    const hint = [label === model ? '' : label, size].filter((part) => part !== '').join(', ')
    return {
      id: idOf(asks),
      label: model,
      hint,
      group,
      asks,
      ...(price && { aside: `${money(price.input)} / ${money(price.output)}` }),
    }
  })
}

function optionsOfServer({ label, baseUrl, models }: LocalServer): readonly ModelOption[] {
  return models.map(({ model, contextWindow }) => {
    const asks: Asked = { provider: 'openai-compatible', model, baseUrl }
    const hint = contextWindow === null ? undefined : `${shortCount(contextWindow)} tokens of context`
    return { id: idOf(asks), label: model, hint, group: `${label}, ${placeOf(baseUrl)}`, asks }
  })
}

/** The id of an option: the parts of its configuration, joined by line breaks, because no model name or address contains a line break. */
const idOf = ({ provider, model, baseUrl }: Asked): string => [provider, model, baseUrl ?? ''].join('\n')
