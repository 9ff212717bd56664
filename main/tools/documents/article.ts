/** What a page wants to say. */
export interface Article {
  readonly title: string | null
  /** Markdown. */
  readonly text: string
}

/** Elements that say nothing when a page has no article and is taken whole. */
const SILENT = 'script, style, noscript, template, svg, iframe, nav, header, footer, form'
/** Characters of a title. */
const TITLE_CHARS = 300

/** The article of an HTML page, or all of its text if it has none. May take long, so call it in a worker only. */
export async function articleOf(html: string, url: string): Promise<Article> {
  const [{ parseHTML }, { Readability }, { default: Turndown }] = await Promise.all([
    import('linkedom'),
    import('@mozilla/readability'),
    import('turndown'),
  ])
  const markdown = new Turndown({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-' })
  markdown.remove(['script', 'style', 'noscript'])
  const { document } = parseHTML(wholePage(html))
  const title = oneLine(document.title)
  for (const link of document.querySelectorAll('a[href], img[src]')) absolute(link, url)
  const copy = parseHTML(wholePage(document.documentElement.outerHTML)).document
  const article = new Readability(copy, { charThreshold: 200 }).parse()
  if (article?.content) return { title: oneLine(article.title ?? '') ?? title, text: markdown.turndown(article.content).trim() }
  for (const element of document.querySelectorAll(SILENT)) element.remove()
  return { title, text: markdown.turndown(document.body.innerHTML).trim() }
}

function oneLine(title: string): string | null {
  return title.replaceAll(/\s+/gu, ' ').trim().slice(0, TITLE_CHARS).toWellFormed() || null
}

/** A parser of documents needs one; what comes may be a piece. */
function wholePage(html: string): string {
  return /<html[\s>]/iu.test(html) ? html : `<!doctype html><html><head></head><body>${html}</body></html>`
}

/** Links that a reader can follow from anywhere; others than of the web are dropped. */
function absolute(element: Element, base: string): void {
  for (const name of ['href', 'src']) {
    const value = element.getAttribute(name)
    if (value === null) continue
    const url = URL.parse(value, base)
    if (url && /^https?:$/u.test(url.protocol)) element.setAttribute(name, url.href)
    else element.removeAttribute(name)
  }
}
