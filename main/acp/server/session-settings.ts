import type { SessionConfigOption, SessionModeState } from '@agentclientprotocol/sdk'
import { failed, ok, type Result } from '../../../shared/lib/result.ts'
import type { SessionConfigured } from '../../../shared/session/events.ts'
import { APPROVAL_MODES, type ApprovalMode } from '../../../shared/session/settings/approval-mode.ts'
import { type Effort, EFFORTS } from '../../../shared/session/settings/model-facts.ts'
import type { ProviderFacts } from '../../../shared/api/settings.ts'

type Facts = Pick<ProviderFacts, 'provider' | 'models'>

const MODES: Readonly<Record<ApprovalMode, { readonly name: string; readonly description: string }>> = {
  plan: { name: 'Plan', description: 'Reads and plans. Changes nothing.' },
  ask: { name: 'Ask', description: 'You sign every change, and every command that does more than read.' },
  'accept-edits': { name: 'Accept edits', description: 'Edits in the folder are applied. Deletions and commands ask.' },
  auto: { name: 'Auto', description: 'Like “Accept edits”, and background commands run confined to the folder.' },
  full: { name: 'Full access', description: 'Only control files, files outside the folder and what cannot be undone ask.' },
}

/** The modes of a session, for editors that know no configuration options. */
export function modesOf({ mode }: SessionConfigured): SessionModeState {
  return { currentModeId: mode, availableModes: APPROVAL_MODES.map((id) => ({ id, ...MODES[id] })) }
}

/** Stands for the vendor's default effort, which is null in the configuration. */
const DEFAULT_EFFORT = 'default'

/** Mode, model and effort, as options for an editor. `facts`: those of the session's provider. */
export function configOptions(config: SessionConfigured, facts: Facts): SessionConfigOption[] {
  const known = facts.models.map(({ model, label }) => ({ value: model, name: label }))
  const models = known.some(({ value }) => value === config.model) ? known : [{ value: config.model, name: config.model }, ...known]
  const efforts = facts.models.find(({ model }) => model === config.model)?.efforts ?? EFFORTS
  return [
    {
      type: 'select',
      id: 'mode',
      name: 'Mode',
      category: 'mode',
      currentValue: config.mode,
      options: APPROVAL_MODES.map((value) => ({ value, ...MODES[value] })),
    },
    { type: 'select', id: 'model', name: 'Model', category: 'model', currentValue: config.model, options: models },
    {
      type: 'select',
      id: 'effort',
      name: 'Effort',
      category: 'thought_level',
      currentValue: config.effort ?? DEFAULT_EFFORT,
      options: [
        { value: DEFAULT_EFFORT, name: 'Default' },
        ...withCurrent(efforts, config.effort).map((effort) => ({ value: effort, name: titled(effort) })),
      ],
    },
  ]
}

/** A session may have an effort that its model does not list. */
function withCurrent(efforts: readonly Effort[], current: Effort | null): readonly Effort[] {
  return current === null || efforts.includes(current) ? efforts : [...efforts, current]
}

const titled = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** The change to the configuration when the editor sets an option. A failure is a sentence. */
export function optionChange(id: string, value: unknown): Result<Partial<SessionConfigured>, string> {
  if (typeof value !== 'string') return failed(`The option ${id} takes a text.`)
  switch (id) {
    case 'mode':
      return modeChange(value)
    case 'model':
      return value.trim() === '' ? failed('The model has no name.') : ok({ model: value })
    case 'effort': {
      const effort = EFFORTS.find((one) => one === value) ?? null
      return effort === null && value !== DEFAULT_EFFORT ? failed(`There is no effort ${value}.`) : ok({ effort })
    }
    default:
      return failed(`There is no option ${id}.`)
  }
}

/** The change to the configuration when the editor sets the mode. A failure is a sentence. */
export function modeChange(id: string): Result<Partial<SessionConfigured>, string> {
  const mode = APPROVAL_MODES.find((one) => one === id)
  return mode ? ok({ mode }) : failed(`There is no mode ${id}. The modes are ${APPROVAL_MODES.join(', ')}.`)
}
