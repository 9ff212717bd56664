import { isAbsolute } from 'node:path'
import { z } from 'zod'

/** What a link from outside may ask for: to show something. It never starts a turn, and a folder is only offered, since it is not trusted by being named. */
export type DeepLink = { readonly kind: 'folder'; readonly folder: string } | { readonly kind: 'session'; readonly sessionId: string }

/** What a second start hands to the first: it has read its own arguments, which Electron may reorder on the way. */
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
 * `countersign://open?folder=/abs/path` or `countersign://session/ID`, and nothing else: no further parameter, part or encoding. Null for all the rest. A
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
  // A network path would make Windows sign in to a stranger's server merely by looking at it.
  const isPlain = folder.length <= 4096 && isAbsolute(folder) && !/[\p{Cc}\p{Cf}]/u.test(folder) && !/^[\\/]{2}/.test(folder)
  return isPlain ? { kind: 'folder', folder } : null
}

/** Read from the text itself: a parser would resolve dots first. */
function sessionIn(text: string): DeepLink | null {
  const sessionId = /^countersign:\/\/session\/([\w-]{1,80})$/.exec(text)?.[1]
  return sessionId === undefined ? null : { kind: 'session', sessionId }
}

/** How the page is told: in its own address, behind the `#`. */
export function fragmentOf(link: DeepLink | null): string {
  if (!link) return ''
  return link.kind === 'folder' ? `#folder=${encodeURIComponent(link.folder)}` : `#session=${encodeURIComponent(link.sessionId)}`
}
