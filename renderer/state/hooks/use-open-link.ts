import type { OpenLink } from '../../ui/text/outside-link.tsx'
import { attemptRequest } from '../commands/attempt-request.ts'
import { useDesk } from '../desk-context.ts'

/**
 * How this window opens an address. The desktop app asks main, which asks the user. Null in a browser, where the page opens the address.
 */
export function useOpenLink(): OpenLink | null {
  const desk = useDesk()
  if (desk.app.getState().hello?.shell === 'browser') return null
  return async (url) => {
    let why: string | null = null
    const failed = await attemptRequest(desk, 'The link was not opened', async (client) => {
      const outcome = await client.app.openLink({ url })
      if (!outcome.opened) why = outcome.why ?? 'it was not opened'
      return { ok: true }
    })
    return failed?.what ?? why
  }
}
