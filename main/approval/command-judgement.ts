/** How far a command line may go, by what it says. */
export interface CommandJudgement {
  /** May destroy what cannot be brought back: to be signed by holding. */
  readonly destructive: boolean
  /** What it destroys or writes may lie outside the folder. */
  readonly beyond: boolean
  /** A control file that it would write, as the line names it; null: none. */
  readonly control: string | null
  /** The thing that it would remove and that nobody removes by a signature, in words; null: none. */
  readonly ruins: string | null
}

export const HARMLESS: CommandJudgement = { destructive: false, beyond: false, control: null, ruins: null }

/** What holds for two commands of one line. */
export function worse(a: CommandJudgement, b: CommandJudgement): CommandJudgement {
  return {
    destructive: a.destructive || b.destructive,
    beyond: a.beyond || b.beyond,
    control: a.control ?? b.control,
    ruins: a.ruins ?? b.ruins,
  }
}
