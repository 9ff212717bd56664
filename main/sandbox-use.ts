export const SANDBOX_USES = ['auto', 'require', 'off'] as const
/** Whether commands run in copies of the folder: where they can, only there (no run on a machine that cannot make copies), or never. */
export type SandboxUse = (typeof SANDBOX_USES)[number]

/** The value of `--sandbox`; null: there is no such value. */
export function sandboxUse(value: string | undefined): SandboxUse | null {
  return value === undefined ? 'auto' : (SANDBOX_USES.find((use) => use === value) ?? null)
}
