import type { CommandsInLayer } from '../../agent/ports/layers.ts'
import { copyFailureReason } from '../../environment/copy/copy-failure-reason.ts'
import { wayToInstall } from '../../environment/copy/copy-support.ts'
import { ownProgram } from '../../environment/own-programs/own-programs.ts'
import { folderToRename, type RenamableFolders } from './renamable-folders.ts'

const RENAMED =
  'In this layer, a folder that is also in the project cannot be renamed in one step. Use mv, which copies it, or copy it and remove the old one.'
const LINKED = 'In this layer, a hard link to a file of the project is another file. Copy the file instead (git clone --no-hardlinks).'

/**
 * Explains failures that the limits of a copy cause, because a layer has the same ones. If the output names a folder that could not be renamed,
 * makes that folder renamable, so a second attempt works.
 */
export const whyFailedIn =
  (renamable: RenamableFolders): CommandsInLayer['whyFailed'] =>
  async ({ exitCode, text, cwd, blocked }) => {
    const { unfit, secondTry } = await copyFailureReason({
      result: { exitCode, timedOut: false, aborted: false, stdout: text, stderr: '' },
      blocked,
      localPorts: [],
      wayToForward: ownProgram('socat') === null ? wayToInstall() : null,
      isFilled: false,
      hasHardLinks: true,
    })
    if (unfit !== null) return { why: `The layer has the limits of a copy. ${unfit}`, port: null }
    if (secondTry === null) return { why: null, port: null }
    switch (secondTry.kind) {
      case 'local-port':
        return { why: null, port: secondTry.port }
      case 'filled': {
        const folder = folderToRename(text, cwd)
        const isMade = folder !== null && (await renamable.make(folder))
        return { why: isMade ? `The folder ${folder} can be renamed now. Run the command again.` : RENAMED, port: null }
      }
      case 'without-hard-links':
        return { why: LINKED, port: null }
    }
  }
