import type { ShownPicture } from '../../../shared/api/changes/changes.ts'
import type { Block } from './readable-blocks.ts'

/**
 * The start of the page. The file contains everything that the page shows, and its policy forbids scripts and loading anything from outside
 * the file.
 */
export const htmlStart = (title: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
`

export const HTML_END = '</main>\n</body>\n</html>\n'

/** One block as HTML. Every text is escaped. */
export function htmlOf(block: Block): string {
  switch (block.kind) {
    case 'session':
      return `<h1>${escaped(block.title)}</h1>\n<dl>${block.facts
        .map(([name, value]) => `<dt>${escaped(name)}</dt><dd>${escaped(value)}</dd>`)
        .join('')}</dl>\n`
    case 'you':
      return `<section class="you"><h2>You ${time(block.at)}</h2><p>${escaped(block.text)}</p></section>\n`
    case 'agent':
      return `<section><h3>Agent ${time(block.at)}</h3><p>${escaped(block.text)}</p></section>\n`
    case 'thinking':
      return `<details><summary>Reasoning ${time(block.at)}</summary><p>${escaped(block.text)}</p></details>\n`
    case 'notice':
      return `<p class="notice">${escaped(block.text)}</p>\n`
    case 'step':
      return `<h3><b>${block.step}</b> ${escaped(block.title)} <small>${escaped(block.status)}</small> ${time(block.at)}</h3>\n`
    case 'picture':
      return `<p>${block.picture ? `<img alt="Picture" src="${dataUrl(block.picture)}">` : '[a picture that cannot be shown]'}</p>\n`
    case 'code':
      return `<details open><summary>${escaped(block.label)}</summary><pre>${block.language === 'diff' ? coloured(block.text) : escaped(block.text)}</pre></details>\n`
  }
}

/** Nothing needs escaping: the bytes have one of the four picture formats, and base64 contains no characters that are special in HTML. */
const dataUrl = ({ mediaType, data }: ShownPicture): string => `data:${mediaType};base64,${data}`

const time = (at: number): string => `<time>${new Date(at).toISOString().slice(0, 19).replace('T', ' ')}</time>`

const coloured = (diff: string): string =>
  diff
    .split('\n')
    .map((line) => {
      const kind = { '+': 'ins', '-': 'del' }[line.slice(0, 1)]
      return kind ? `<${kind}>${escaped(line)}</${kind}>` : escaped(line)
    })
    .join('\n')

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/gu, (character) => ENTITIES[character] ?? '')
}

const STYLE = `
:root{color-scheme:light dark;--line:#8884;--soft:#8881;--add:#2da44e33;--cut:#cf222e33}
body{margin:0;font:15px/1.5 system-ui,sans-serif}
main{max-width:60rem;margin:0 auto;padding:2rem 1rem 6rem}
h1{font-size:1.4rem}h2,h3{font-size:1rem;margin:1.6rem 0 .4rem}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1rem;opacity:.8}dd{margin:0;overflow-wrap:anywhere}
p{white-space:pre-wrap;overflow-wrap:anywhere;margin:.2rem 0}
time,small{font-weight:400;opacity:.65;font-size:.85em}
.you{border-left:3px solid #5b7fdb;padding-left:1rem}.notice{border-left:3px solid var(--line);padding-left:1rem;opacity:.8}
pre{white-space:pre-wrap;overflow-wrap:anywhere;background:var(--soft);border:1px solid var(--line);border-radius:4px;padding:.6rem;font:13px/1.45 ui-monospace,monospace}
img{max-width:100%;max-height:30rem;border:1px solid var(--line)}
ins,del{text-decoration:none;display:inline-block;width:100%}ins{background:var(--add)}del{background:var(--cut)}
summary{cursor:pointer;opacity:.8}
`
