import type { Workspaces } from '../workspace/workspaces.ts'

export const SANDBOX_USES = ['auto', 'require', 'off'] as const
/**
 * Whether commands first run in a copy of the folder. `auto`: if the machine can make copies. `require`: always, and if no copy can be
 * made, nothing runs. `off`: never.
 */
export type SandboxUse = (typeof SANDBOX_USES)[number]

/** The parsed value of `--sandbox`: `auto` if the flag is absent, null if the value is not valid. */
export function sandboxUse(value: string | undefined): SandboxUse | null {
  return value === undefined ? 'auto' : (SANDBOX_USES.find((use) => use === value) ?? null)
}

/** Why commands cannot run in a copy of this folder, and what to do about it. Null if they can. */
export async function missingSandbox(workspaces: Workspaces, folder: string): Promise<string | null> {
  const opened = await workspaces.open(folder)
  if (!opened.ok) return opened.failure.what
  try {
    const support = await opened.value.copies?.support()
    return !support || support.kind === 'present' ? null : `${support.reason} ${support.wayOut}`
  } finally {
    await opened.value.close()
  }
}
