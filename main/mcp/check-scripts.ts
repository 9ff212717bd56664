import type { ExecutedFile } from '../../shared/session/effects.ts'
import { changedScripts, changedWords, hashesOf, type ReadScript, type TrustedContents } from '../approval/changed-scripts.ts'
import type { FolderServer } from './folder-server.ts'
import { choiceFor, type Choices, type ServerChoice } from './server-choices.ts'

interface CheckParts extends Choices {
  choose(key: string, choice: ServerChoice): void
  readonly contents: TrustedContents
  readonly readScript: ReadScript
}

/**
 * Notes the files that a server names, before it starts. If it would run with the user's rights, rejects if files that the user trusted
 * have changed. If none were recorded yet, records them.
 */
export async function checkScripts(
  parts: CheckParts,
  known: FolderServer,
  { scripts: now, isConfined }: { readonly scripts: readonly ExecutedFile[]; readonly isConfined: boolean },
): Promise<void> {
  known.scripts = hashesOf(now)
  if (isConfined) return
  const choice = choiceFor(parts, known)
  const trusted = choice.scripts?.[known.folder]
  if (!trusted) {
    parts.choose(known.key, { ...choice, scripts: { ...choice.scripts, [known.folder]: hashesOf(now) } })
    await parts.contents.keep(now, parts.readScript)
    return
  }
  const changed = changedScripts(trusted, now)
  known.changed = await parts.contents.changes(trusted, changed, parts.readScript)
  // What is shown may be trusted next, and changed before that.
  await parts.contents.keep(now, parts.readScript)
  if (changed.length > 0) throw new Error(changedWords(changed, 'Settings > MCP servers'))
}
