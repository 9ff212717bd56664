/** A setting that a third-party agent lets the user choose, such as its model. */
export interface AgentChoice {
  readonly id: string
  readonly name: string
  /** `mode`, `model`, `thought_level`, or a category of the agent's own. */
  readonly category: string
  /** The chosen value. */
  readonly current: string
  readonly values: readonly { readonly value: string; readonly name: string; readonly about: string }[]
}

/** A slash command of a third-party agent. `hint`: what may follow its name. Empty if nothing does. */
export interface AgentCommand {
  readonly name: string
  readonly description: string
  readonly hint: string
}

/** What a third-party agent offers in a session. */
export interface AgentOffers {
  readonly choices: readonly AgentChoice[]
  readonly commands: readonly AgentCommand[]
}
