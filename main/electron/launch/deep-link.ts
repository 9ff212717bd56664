import { isAbsolute } from 'node:path'
import { z } from 'zod'
import type { MenuCommand } from '../../../shared/api/app.ts'

/**
 * What a link from outside can request: to show a folder or a session. A link never starts a turn, and a link to a folder does not make the
 * folder trusted.
 */
export type DeepLink = { readonly kind: 'folder'; readonly folder: string } | { readonly kind: 'session'; readonly sessionId: string }

/**
 * What a second instance of the app sends to the first one. The second instance parses its own arguments, because Electron may reorder
 * them.
 */
export const SecondStart = z.object({
  show: z
    .discriminatedUnion('kind', [
      z.object({ kind: z.literal('folder'), folder: z.string().max(4096) }),
      z.object({ kind: z.literal('session'), sessionId: z.string().max(80) }),
    ])
    .nullable(),
})
export type SecondStart = z.infer<typeof SecondStart>

const LINK_SCHEME = 'countersign:'

export const isDeepLink = (text: string): boolean => text.toLowerCase().startsWith(LINK_SCHEME)

/**
 * Accepts only `countersign://open?folder=/abs/path` and `countersign://session/ID`, without other parameters. Null for anything else. A
 * link is never read as flags.
 */
export function parseDeepLink(text: string): DeepLink | null {
  if (text.length > 5_000 || !/^countersign:\/\/[\x21-\x7e]+$/.test(text) || !URL.canParse(text)) return null
  const url = new URL(text)
  if (url.username !== '' || url.password !== '' || url.port !== '' || url.hash !== '') return null
  switch (url.hostname) {
    case 'open':
      return folderIn(url)
    case 'session':
      return sessionIn(text)
    default:
      return null
  }
}

function folderIn(url: URL): DeepLink | null {
  const [[name, folder] = ['', ''], ...others] = [...url.searchParams]
  if ((url.pathname !== '' && url.pathname !== '/') || others.length > 0 || name !== 'folder') return null
  // Reading a network path would make Windows sign in to an unknown server.
  const isPlain = folder.length <= 4096 && isAbsolute(folder) && !/[\p{Cc}\p{Cf}]/u.test(folder) && !/^[\\/]{2}/.test(folder)
  return isPlain ? { kind: 'folder', folder } : null
}

/** Reads the id from the text itself, because a URL parser would resolve dots. */
function sessionIn(text: string): DeepLink | null {
  const sessionId = /^countersign:\/\/session\/([\w-]{1,80})$/.exec(text)?.[1]
  return sessionId === undefined ? null : { kind: 'session', sessionId }
}

/** The URL fragment that opens Settings > About. Links from other programs cannot use it. */
export const ABOUT = '#settings=settings-about'

/** The URL fragment that runs a command of the page. Links from other programs cannot use it. */
export const commandFragment = (command: MenuCommand): string => `#command=${command}`

/** The URL fragment that shows the session that a window showed before the restart. Empty if it showed none. */
export const shownFragment = (sessionId: string | null): string => (sessionId === null ? '' : `#at=${encodeURIComponent(sessionId)}`)

/** The link as the fragment of the page's URL, including `#`. Empty if there is no link. */
export function fragmentOf(link: DeepLink | null): string {
  if (!link) return ''
  return link.kind === 'folder' ? `#folder=${encodeURIComponent(link.folder)}` : `#session=${encodeURIComponent(link.sessionId)}`
}
