/** The page's scheme. Deep links have a different scheme (`countersign:`), so that no link from outside can open a page of the app. */
export const PAGE_SCHEME = 'countersign-app'
const PAGE_HOST = 'desk'
const PAGE_ORIGIN = `${PAGE_SCHEME}://${PAGE_HOST}`
export const PAGE_URL = `${PAGE_ORIGIN}/`

/**
 * Whether an address belongs to Countersign's page. Compares the parts of the address, not a prefix: `countersign-app://desk.evil` does
 * not belong to it, nor does an address with a port or a user name.
 */
export function isOurPage(address: string): boolean {
  if (!URL.canParse(address)) return false
  const url = new URL(address)
  return url.protocol === `${PAGE_SCHEME}:` && url.hostname === PAGE_HOST && url.port === '' && url.username === '' && url.password === ''
}
