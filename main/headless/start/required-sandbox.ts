import type { App } from '../../compose/app.ts'

/** Why no command can run in a copy of this folder, as a sentence with what would help. Null: they can. */
export async function missingSandbox({ workspaces }: Pick<App, 'workspaces'>, folder: string): Promise<string | null> {
  const opened = await workspaces.open(folder)
  if (!opened.ok) return opened.failure.what
  try {
    const support = await opened.value.copies?.support()
    return !support || support.kind === 'present' ? null : `${support.reason} ${support.wayOut}`
  } finally {
    await opened.value.close()
  }
}
