import type { Block } from './readable-blocks.ts'

/**
 * One block as Markdown. Code is fenced with more backticks than it contains. Titles, facts and notices fit on one line each, with markup
 * escaped.
 */
export function markdownOf(block: Block): string {
  switch (block.kind) {
    case 'session':
      return `# ${inline(block.title)}\n\n${block.facts.map(([name, value]) => `- ${name}: ${inline(value)}`).join('\n')}\n\n`
    case 'you':
      return `## You, ${time(block.at)}\n\n${quoted(block.text)}\n\n`
    case 'agent':
      return `### Agent, ${time(block.at)}\n\n${safe(block.text)}\n\n`
    case 'thinking':
      return `### Reasoning, ${time(block.at)}\n\n${quoted(block.text)}\n\n`
    case 'notice':
      return `> ${inline(block.text)}\n\n`
    case 'step':
      return `### Step ${block.step}: ${inline(block.title)}, ${time(block.at)}\n\n${inline(block.status)}\n\n`
    case 'picture':
      return '[picture]\n\n'
    case 'code':
      return `${inline(block.label)}:\n\n${fenced(block.text, block.language)}\n\n`
  }
}

const time = (at: number): string => new Date(at).toISOString().replace(/\.\d+Z$/u, 'Z')

/** Markup in Markdown or HTML. An underscore inside a word is none, so names and ids can be copied from the file. */
const MARKUP = /[\\`*[\]<>#|!]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu

/** Puts the text on one line and escapes the characters that Markdown or HTML would read as markup. */
const inline = (text: string): string => text.replaceAll(/\s+/gu, ' ').replaceAll(MARKUP, String.raw`\$&`)

const quoted = (text: string): string =>
  safe(text)
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n')

/** The model's Markdown, with raw HTML and pictures escaped, because a viewer would render or load them. */
const safe = (text: string): string => text.replaceAll(/<(?=[a-z/!?])/giu, '&lt;').replaceAll('![', '!\\[')

function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/gu)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text}\n${fence}`
}
