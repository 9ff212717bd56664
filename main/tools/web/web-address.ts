import { type Result, failed, ok } from '../../../shared/lib/result.ts'

/** Characters; no page's address is longer, a smuggled text may be. */
const MOST_CHARS = 2000

/** An address that may be fetched: http or https, without a name and password in it, without a fragment. A failure is a sentence. */
export function webAddress(text: string): Result<URL, string> {
  if (text.length > MOST_CHARS) return failed(`The address is longer than ${MOST_CHARS} characters.`)
  const withScheme = /^[a-z][a-z0-9+.-]*:/iu.test(text.trim()) && !/^[\w.-]+:\d/u.test(text.trim()) ? text.trim() : `https://${text.trim()}`
  const url = URL.parse(withScheme)
  if (!url) return failed('It is no address. Give a whole one, such as https://example.com/page.')
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return failed(`Only http and https addresses are fetched, not ${url.protocol}`)
  if (url.username !== '' || url.password !== '') return failed('The address has a name or password in it, which is not sent.')
  url.hash = ''
  return ok(url)
}
