import { type Session, protocol } from 'electron'
import type { AssetTable } from '../../http/asset-table.ts'
import { freshNonce, securityHeaders } from '../../http/content-security.ts'
import { type PageResponse, pageResponse, plain } from '../../http/page-response.ts'
import { PAGE_SCHEME, isOurPage } from './page-origin.ts'

/**
 * Registers the page's scheme as a standard and secure one, so that its pages have an origin as with https. Must be called before the app
 * is ready.
 */
export function registerPageScheme(): void {
  protocol.registerSchemesAsPrivileged([
    {
      scheme: PAGE_SCHEME,
      privileges: { standard: true, secure: true, supportFetchAPI: false, bypassCSP: false, corsEnabled: false, codeCache: true },
    },
  ])
}

/**
 * Serves the built page to this session under its own scheme, from a fixed table of files, with the content security policy. Any other
 * address or method gets a 404.
 */
export function servePage(session: Session, assets: AssetTable, onBug: (error: unknown) => void): void {
  session.protocol.handle(PAGE_SCHEME, async (request) => {
    try {
      return asResponse(await answer(request.method, request.url, assets))
    } catch (error) {
      onBug(error)
      return asResponse(refusal(500, 'This failed unexpectedly.'))
    }
  })
}

function answer(method: string, address: string, assets: AssetTable): Promise<PageResponse> | PageResponse {
  if (method !== 'GET' || !isOurPage(address)) return refusal(404, 'There is nothing here.')
  return pageResponse(assets, pathAsSent(address), 'desktop')
}

/** The path after the host, without query and fragment, exactly as requested: dots are not resolved. */
function pathAsSent(address: string): string {
  return /^[a-z-]+:\/\/[^/?#]*([^?#]*)/i.exec(address)?.[1] || '/'
}

const refusal = (status: number, text: string): PageResponse => plain(status, text, securityHeaders('desktop', freshNonce()))

const asResponse = ({ status, headers, body }: PageResponse): Response => new Response(body, { status, headers })
