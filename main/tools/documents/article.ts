/** The main content of a page. */
export interface Article {
  readonly title: string | null
  /** The content in Markdown. */
  readonly text: string
}

/** Elements without content for a reader. If a page has no article, all of the page is used except these elements. */
const SILENT = 'script, style, noscript, template, svg, iframe, nav, header, footer, form'
/** Maximum number of characters of a title. */
const TITLE_CHARS = 300

/** The article of an HTML page, or all of its text if it has none. This may take a long time, so call it only in a worker. */
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

/** The parser needs a complete HTML document, but the text may be only a part of one. */
function wholePage(html: string): string {
  return /<html[\s>]/iu.test(html) ? html : `<!doctype html><html><head></head><body>${html}</body></html>`
}

/** Makes links absolute, so that a reader can follow them from anywhere. Links that do not lead to the web are dropped. */
function absolute(element: Element, base: string): void {
  for (const name of ['href', 'src']) {
    const value = element.getAttribute(name)
    if (value === null) continue
    const url = URL.parse(value, base)
    if (url && /^https?:$/u.test(url.protocol)) element.setAttribute(name, url.href)
    else element.removeAttribute(name)
  }
}
